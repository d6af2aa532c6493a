import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { digestOf } from '@davit/domain';
import { CorruptEvidenceError, EvidenceUnavailableError } from '../evidence/store.js';
import { type LogDatabase, logDatabase } from '../testing/database.js';
import { evidenceConformance, loadRun } from '../testing/evidence-conformance.js';
import { PostgresEvidence } from './postgres-evidence.js';
import { preparedStatements } from './prepared-statements.js';

jest.setTimeout(30_000);

let database: LogDatabase;
beforeAll(async () => {
  database = await logDatabase();
});
afterAll(() => database.dispose());

const open = () => new PostgresEvidence(preparedStatements(database.dataSource));
const query = (sql: string, ...parameters: unknown[]) => database.dataSource.query<unknown>(sql, parameters);

evidenceConformance('evidence in PostgreSQL', () => Promise.resolve(open()));

describe('what is kept', () => {
  test('can be neither changed nor deleted through SQL', async () => {
    const { digest } = await open().put('load-run', loadRun(100));
    await expect(query('delete from log.evidence where digest = $1', digest)).rejects.toThrow(
      /never changed or deleted/,
    );
    await expect(query(`update log.evidence set kind = 'baseline' where digest = $1`, digest)).rejects.toThrow(
      /never changed or deleted/,
    );
    expect((await open().get(digest))?.kind).toBe('load-run');
  });

  test('is read as corrupt when it is not what was put', async () => {
    const [good, other] = [await open().put('load-run', loadRun(101)), await open().put('load-run', loadRun(102))];
    await query('alter table log.evidence disable trigger evidence_is_immutable');
    const content = `(select content from log.evidence where digest = $2)`;
    await query(`update log.evidence set content = ${content} where digest = $1`, good.digest, other.digest);
    await query(`update log.evidence set content = '\\x00' where digest = $1`, other.digest);
    await query('alter table log.evidence enable trigger evidence_is_immutable');
    await expect(open().get(good.digest)).rejects.toThrow(CorruptEvidenceError);
    await expect(open().get(other.digest)).rejects.toThrow(/cannot be expanded/);
  });
});

describe('a put that fails', () => {
  test('says so when the disk is full, leaves nothing, and is good when it is repeated with room', async () => {
    await query(`create function log.no_room() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
    await query('create trigger no_room before insert on log.evidence for each row execute function log.no_room()');
    const put = () => open().put('load-run', loadRun(103));
    await expect(put()).rejects.toThrow(EvidenceUnavailableError);
    await expect(put()).rejects.toThrow(/No space left/);
    await query('drop trigger no_room on log.evidence');
    expect(await open().get(digestOf(loadRun(103)))).toBeUndefined();
    const { digest } = await put();
    expect((await open().get(digest))?.digest).toBe(digest);
  });

  test('says so when the connection breaks', async () => {
    const dead = new PostgresEvidence({ query: () => Promise.reject(new Error('connection terminated')) });
    await expect(dead.put('load-run', loadRun(104))).rejects.toThrow(EvidenceUnavailableError);
    await expect(dead.get('a'.repeat(64))).rejects.toThrow(EvidenceUnavailableError);
  });
});
