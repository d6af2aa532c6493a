import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { VirtualClock, sequentialIds } from '@davit/ports';
import fc from 'fast-check';
import type { AppendContext, AppendResult, EventLog, GrantedLease, Leases, StreamWrite } from '../event-log.js';
import { PostgresEventLog } from '../postgres/postgres-event-log.js';
import { PostgresLeases } from '../postgres/postgres-leases.js';
import { type LogDatabase, emptyLog, logDatabase } from '../testing/database.js';
import { context, write } from '../testing/fixtures.js';
import { createMemoryLog } from './index.js';

let database: LogDatabase;
beforeAll(async () => {
  database = await logDatabase();
});
afterAll(() => database.dispose());

const LONG_MS = 3_600_000;

/** Few names and versions, so that steps meet. */
const few = (name: string) => fc.constantFrom(`${name}1`, `${name}2`);
const writes = fc
  .uniqueArray(
    fc.record({
      stream: few('fleet/'),
      expected: fc.oneof(fc.constant('any' as const), fc.integer({ min: 0, max: 3 })),
      count: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 2, selector: ({ stream }) => stream },
  )
  .map((list) => list.map(({ stream, expected, count }) => write(stream, expected, count)));
const appendStep = fc.record({
  kind: fc.constant('append' as const),
  writes,
  tenant: few('tenant'),
  lease: fc.option(fc.record({ name: few('lease'), epoch: fc.integer({ min: 1, max: 3 }) })),
  idempotency: fc.option(fc.record({ key: few('key'), fingerprint: few('print') })),
  requires: fc.option(
    fc.uniqueArray(
      fc.record({ stream: fc.constantFrom('fleet/1', 'fleet/2', 'fleet/3'), version: fc.integer({ min: 0, max: 2 }) }),
      {
        maxLength: 2,
        selector: ({ stream }) => stream,
      },
    ),
  ),
  inbox: fc.option(fc.record({ consumer: few('consumer'), messageId: few('message') })),
});
const leaseStep = fc.record({
  kind: fc.constantFrom('acquire' as const, 'release' as const, 'holds' as const),
  name: few('lease'),
  holder: few('holder'),
  epoch: fc.integer({ min: 1, max: 3 }),
});
const step = fc.oneof({ weight: 3, arbitrary: appendStep }, { weight: 2, arbitrary: leaseStep });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const plain = {
  kind: 'append',
  tenant: 'tenant1',
  lease: null,
  idempotency: null,
  requires: null,
  inbox: null,
} as const;
const anywhere = { ...plain, writes: [write('fleet/1', 'any')] };
const keyed = (fingerprint: 'print1' | 'print2'): Step => ({ ...anywhere, idempotency: { key: 'key1', fingerprint } });
const received: Step = { ...anywhere, inbox: { consumer: 'consumer1', messageId: 'message1' } };
/** Every outcome that there is, whatever chance brings. */
const ONE_OF_EACH: Step[] = [
  keyed('print1'),
  keyed('print1'),
  keyed('print2'),
  received,
  received,
  { ...plain, writes: [write('fleet/1', 0)] },
  { ...anywhere, lease: { name: 'lease1', epoch: 3 } },
];

/** The two stores' clocks differ. */
const withoutTime = (granted: GrantedLease | undefined): unknown => granted && { ...granted, storeMs: 0 };

async function take(log: EventLog, leases: Leases, next: Step): Promise<unknown> {
  switch (next.kind) {
    case 'acquire':
      return leases.acquire(next.name, next.holder, LONG_MS).then(withoutTime);
    case 'release':
      return leases.release(next);
    case 'holds':
      return leases.holds(next);
    case 'append': {
      const [first, ...rest] = next.writes;
      if (!first) return undefined;
      const all: [StreamWrite, ...StreamWrite[]] = [first, ...rest];
      const { tenant, lease, idempotency, inbox, requires } = next;
      const given: AppendContext = {
        ...context,
        tenant,
        ...(lease && { lease }),
        ...(idempotency && { idempotency }),
        ...(inbox && { inbox }),
        ...(requires && { requires: requires.filter(({ stream }) => all.every((one) => one.stream !== stream)) }),
      };
      return withoutTimes(await log.append(all, given));
    }
  }
}

/** The clocks differ; all else must be the same. */
const withoutTimes = (result: AppendResult): unknown =>
  'events' in result ? { ...result, events: result.events.map((event) => ({ ...event, time: '' })) } : result;

test('the log in memory answers every sequence of steps as the one in PostgreSQL does', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await emptyLog(database.dataSource);
      const memory = createMemoryLog({ clock: new VirtualClock(), ids: sequentialIds() });
      const postgres = new PostgresEventLog(database.dataSource, { ids: sequentialIds() });
      const leases = new PostgresLeases(database.dataSource);
      for (const next of steps) {
        const expected = await take(postgres, leases, next);
        expect(await take(memory.log, memory.leases, next)).toEqual(expected);
        if (typeof expected === 'object' && expected !== null && 'outcome' in expected) {
          outcomes.add(String(expected.outcome));
        }
      }
      expect(await memory.log.head()).toBe(await postgres.head());
    }),
    { numRuns: 40, examples: [[ONE_OF_EACH]] },
  );
  expect([...outcomes].toSorted()).toEqual([
    'already-handled',
    'appended',
    'duplicate',
    'fenced',
    'idempotency-conflict',
    'wrong-version',
  ]);
}, 60_000);
