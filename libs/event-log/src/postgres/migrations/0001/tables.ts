/** Frozen with the release of migration 0001. */
export const TABLES_0001 = `
create schema if not exists log;

create table log.events (
  position bigint primary key,
  stream text not null,
  version bigint not null,
  id uuid not null,
  type text not null,
  time timestamptz not null,
  source text not null,
  dataschema text not null,
  tenant text not null,
  causationid text,
  correlationid text,
  actor text,
  basedonposition bigint,
  traceparent text,
  -- json, not jsonb: the text is kept as it was written, so that a rebuild reads the same bytes.
  data json not null,
  constraint events_stream_version unique (stream, version),
  constraint events_id unique (id)
);

-- One row; the lock on it puts appends in order, and being a row, unlike a sequence, it rolls back with them:
-- positions are dense. The low fill factor leaves room for updates inside the page.
create table log.head (
  only_row boolean primary key default true check (only_row),
  position bigint not null
) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
insert into log.head (position) values (0);

create table log.lease (
  name text primary key,
  holder text not null,
  epoch bigint not null,
  expires_at timestamptz not null
) with (fillfactor = 50);

create table log.idempotency (
  tenant text not null,
  key text not null,
  fingerprint text not null,
  first_position bigint not null,
  last_position bigint not null,
  primary key (tenant, key)
);

create table log.inbox (
  consumer text not null,
  message_id text not null,
  handled_at timestamptz not null,
  primary key (consumer, message_id)
);
`;
