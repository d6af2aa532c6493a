import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Evidence by its content. A row is written once: events name it for good. */
export class Log0003Evidence1764547200000 implements MigrationInterface {
  readonly name = 'Log0003Evidence1764547200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await runner.query(GUARD);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table log.evidence');
    await runner.query('drop function log.refuse_change_of_evidence()');
  }
}

// Compressed already, so the database does not try again.
const TABLE = `
create table log.evidence (
  digest text primary key,
  kind text not null,
  content bytea not null,
  kept_at timestamptz not null default clock_timestamp()
);
alter table log.evidence alter column content set storage external;
`;

const GUARD = `
create function log.refuse_change_of_evidence() returns trigger language plpgsql as $$
begin
  raise exception 'evidence % is never changed or deleted', old.digest using errcode = 'restrict_violation';
end
$$;
create trigger evidence_is_immutable before update or delete on log.evidence
  for each row execute function log.refuse_change_of_evidence();
`;
