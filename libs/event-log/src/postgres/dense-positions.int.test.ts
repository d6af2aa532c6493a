import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '@davit/test-support';
import fc from 'fast-check';
import { type LogDatabase, emptyLog, logDatabase } from '../testing/database.js';
import { appendTo } from '../testing/fixtures.js';
import { Session } from '../testing/session.js';
import { TailReader } from '../testing/tail-reader.js';
import { PostgresEventLog } from './postgres-event-log.js';

jest.setTimeout(60_000);

let database: LogDatabase;
let log: PostgresEventLog;
beforeAll(async () => {
  database = await logDatabase();
  log = new PostgresEventLog(database.dataSource);
});
beforeEach(() => emptyLog(database.dataSource));
afterAll(() => database.dispose());

const query = async (sql: string, parameters: unknown[] = []): Promise<Record<string, unknown>[]> =>
  database.dataSource.query(sql, parameters);

/** Positions 1…n without a gap, versions 1…m in every stream in the order of positions, and the head at n. */
async function expectDense(): Promise<number> {
  const [facts] = await query(`
    select count(*)::int as count, coalesce(max(position), 0)::int as last, coalesce(min(position), 1)::int as first,
      (select position::int from log.head) as head,
      (select count(*)::int from (
        select version, row_number() over (partition by stream order by position) as rank from log.events
      ) as ranked where version <> rank) as misplaced
    from log.events`);
  const count = Number(facts?.['count']);
  expect(facts).toEqual({ count, last: count, first: 1, head: count, misplaced: 0 });
  return count;
}

const kill = (pid: number) => query('select pg_terminate_backend($1)', [pid]);
const waitsForLock = (pid: number) =>
  eventually(async () => {
    const rows = await query('select wait_event_type as type from pg_stat_activity where pid = $1', [pid]);
    return rows[0]?.['type'] === 'Lock';
  });

describe('an append that has not committed', () => {
  let slow: Session;
  let other: Session;
  beforeEach(async () => {
    [slow, other] = await Promise.all([Session.open(database.url), Session.open(database.url)]);
  });

  const slowAppendThen = async (end: (slow: Session) => Promise<unknown>): Promise<void> => {
    await slow.run('begin');
    await slow.append('fleet/slow', 2);
    const behind = other.append('fleet/other');
    await waitsForLock(other.pid);
    expect(await log.read(0, 10)).toEqual([]);
    expect(await log.head()).toBe(0);
    await end(slow);
    await behind;
    await Promise.allSettled([slow.close(), other.close()]);
  };

  test('is read by nobody, and the next one comes after it', async () => {
    await slowAppendThen((session) => session.run('commit'));
    expect((await log.read(0, 10)).map(({ stream }) => stream)).toEqual(['fleet/slow', 'fleet/slow', 'fleet/other']);
  });

  test('leaves no gap when it is rolled back', async () => {
    await slowAppendThen((session) => session.run('rollback'));
    expect((await log.read(0, 10)).map(({ position, stream }) => [position, stream])).toEqual([[1, 'fleet/other']]);
  });

  test('leaves no gap when its session is killed', async () => {
    await slowAppendThen((session) => kill(session.pid));
    expect((await log.read(0, 10)).map(({ position, stream }) => [position, stream])).toEqual([[1, 'fleet/other']]);
  });
});

test('whatever writers do, positions are dense and a reader that only remembers its place sees every event', async () => {
  const step = fc.record({
    count: fc.integer({ min: 1, max: 4 }),
    stream: fc.integer({ min: 0, max: 2 }).map((n) => `fleet/${n}`),
    holdMs: fc.constantFrom(0, 0, 1, 5, 20),
    end: fc.constantFrom('commit', 'commit', 'commit', 'rollback', 'kill'),
  });
  const schedules = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 5 });

  await fc.assert(
    fc.asyncProperty(schedules, async (writers) => {
      await emptyLog(database.dataSource);
      const reader = new TailReader(log);
      const committed = await Promise.all(
        writers.map(async (steps) => {
          let session = await Session.open(database.url);
          let events = 0;
          for (const { count, stream, holdMs, end } of steps) {
            await session.run('begin');
            await session.append(stream, count);
            await session.run('select pg_sleep($1)', [holdMs / 1_000]);
            if (end === 'kill') {
              await kill(session.pid);
              session = await Session.open(database.url);
            } else {
              await session.run(end);
              if (end === 'commit') events += count;
            }
          }
          await session.close();
          return events;
        }),
      );
      const total = await expectDense();
      expect(total).toBe(committed.reduce((sum, count) => sum + count, 0));
      const truth = await query('select id from log.events order by position');
      expect(await reader.finish()).toEqual(truth.map(({ id }) => id));
    }),
    { numRuns: 12, endOnFailure: true },
  );
});

test('conflicts cost no positions', async () => {
  const logs = Array.from({ length: 4 }, () => new PostgresEventLog(database.dataSource));
  const reader = new TailReader(log);
  const results = await Promise.all(
    logs.flatMap((each) => Array.from({ length: 50 }, (_, n) => appendTo(each, `fleet/${n % 3}`, n % 5, 1 + (n % 2)))),
  );
  const outcomes = new Set(results.map(({ outcome }) => outcome));
  expect(outcomes).toEqual(new Set(['appended', 'wrong-version']));
  const total = await expectDense();
  expect(await reader.finish()).toHaveLength(total);
});
