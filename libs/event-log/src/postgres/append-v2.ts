/**
 * The append, version 2: version 1 and, for each append, streams that it does not write but that must be at a given version
 * at the commit. Version 1 stays for processes of the release before. Frozen with the release of migration 0002.
 */
export const APPEND_FUNCTION_V2 = `
create function log.append_v2(appends jsonb) returns table (answer jsonb)
language plpgsql as $function$
declare
  reserved bigint;
  base bigint;
  first_free bigint;
  item jsonb;
begin
  select sum(jsonb_array_length(a -> 'events')) into reserved from jsonb_array_elements(appends) as a;
  update log.head as h set position = h.position + reserved returning h.position - reserved into strict base;
  first_free := base + 1;
  for item in select a from jsonb_array_elements(appends) as a loop
    answer := log.append_one_v2(item, first_free);
    if answer ->> 'outcome' = 'appended' then
      first_free := first_free + jsonb_array_length(item -> 'events');
    end if;
    return next;
  end loop;
  if first_free <> base + reserved + 1 then
    update log.head as h set position = first_free - 1;
  end if;
end
$function$;

create function log.append_one_v2(item jsonb, first_position bigint) returns jsonb
language plpgsql as $function$
declare
  lease jsonb := item -> 'lease';
  idempotency jsonb := item -> 'idempotency';
  inbox jsonb := item -> 'inbox';
  context jsonb := item -> 'context';
  requires jsonb := item -> 'requires';
  written jsonb;
  required jsonb;
  earlier log.idempotency;
  actual bigint;
  versions bigint[] := '{}';
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  if lease is not null then
    -- The share lock keeps the lease from changing hands between this check and the commit.
    perform from log.lease as l
      where l.name = lease ->> 'name' and l.epoch = (lease ->> 'epoch')::bigint and l.expires_at > clock_timestamp()
      for share;
    if not found then
      return jsonb_build_object('outcome', 'fenced');
    end if;
  end if;

  if idempotency is not null then
    select * into earlier from log.idempotency as i
      where i.tenant = context ->> 'tenant' and i.key = idempotency ->> 'key';
    if found then
      if earlier.fingerprint <> idempotency ->> 'fingerprint' then
        return jsonb_build_object('outcome', 'idempotency-conflict');
      end if;
      return jsonb_build_object('outcome', 'duplicate', 'first', earlier.first_position, 'last', earlier.last_position);
    end if;
  end if;

  if inbox is not null then
    perform from log.inbox as i where i.consumer = inbox ->> 'consumer' and i.message_id = inbox ->> 'messageId';
    if found then
      return jsonb_build_object('outcome', 'already-handled');
    end if;
  end if;

  for written in select w from jsonb_array_elements(item -> 'writes') as w loop
    select coalesce(max(e.version), 0) into actual from log.events as e where e.stream = written ->> 'stream';
    if actual <> coalesce((written ->> 'expected')::bigint, actual) then
      return jsonb_build_object('outcome', 'wrong-version', 'stream', written -> 'stream',
        'expected', written -> 'expected', 'actual', actual);
    end if;
    versions := versions || actual;
  end loop;

  if requires is not null then
    -- Every append holds the row of log.head, so what is read here is still so at the commit.
    for required in select r from jsonb_array_elements(requires) as r loop
      select coalesce(max(e.version), 0) into actual from log.events as e where e.stream = required ->> 'stream';
      if actual <> (required ->> 'version')::bigint then
        return jsonb_build_object('outcome', 'wrong-version', 'stream', required -> 'stream',
          'expected', required -> 'version', 'actual', actual);
      end if;
    end loop;
  end if;

  insert into log.events (position, stream, version, id, type, time, source, dataschema, tenant,
      causationid, correlationid, actor, basedonposition, traceparent, data)
    select first_position + n - 1, item -> 'writes' -> (e ->> 'write')::int ->> 'stream',
      versions[(e ->> 'write')::int + 1] + (e ->> 'offset')::bigint,
      (e ->> 'id')::uuid, e ->> 'type', moment, context ->> 'source', e ->> 'dataschema', context ->> 'tenant',
      context ->> 'causationid', context ->> 'correlationid', context ->> 'actor',
      (context ->> 'basedonposition')::bigint, context ->> 'traceparent', (e ->> 'data')::json
    from jsonb_array_elements(item -> 'events') with ordinality as list (e, n);

  if idempotency is not null then
    insert into log.idempotency (tenant, key, fingerprint, first_position, last_position)
      values (context ->> 'tenant', idempotency ->> 'key', idempotency ->> 'fingerprint',
        first_position, first_position + jsonb_array_length(item -> 'events') - 1);
  end if;
  if inbox is not null then
    insert into log.inbox (consumer, message_id, handled_at)
      values (inbox ->> 'consumer', inbox ->> 'messageId', moment);
  end if;

  return jsonb_build_object('outcome', 'appended', 'first', first_position, 'versions', to_jsonb(versions),
    'time', to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end
$function$;
`;
