import { beforeEach, describe, expect, test } from '@jest/globals';
import { type NewEvent, OPERATIONS, stream } from '@davit/contracts';
import { canonicalJson } from '@davit/domain';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds } from '@davit/ports';
import { BudgetsController } from '../budgets/budgets.controller.js';
import { CapacityController } from '../capacity/capacity.controller.js';
import { CostController } from '../cost/cost.controller.js';
import { ExplainController } from '../explain/explain.controller.js';
import { StoriesController } from '../explain/stories.controller.js';
import { IntentHandler } from '../intents/intent-handler.js';
import { FleetController } from '../queries/fleet.controller.js';
import { QueriesController } from '../queries/queries.controller.js';
import { RolloutsController } from '../queries/rollouts.controller.js';
import { askedBy } from '../testing/asked-by.js';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { rented } from '../testing/rented.js';
import type { Asking } from './asking.js';

const BEGIN_MS = Date.UTC(2026, 0, 1, 22);
const MINUTE = 60_000;
const HTTP = { channel: 'http' } as const;

let clock: VirtualClock;
let log: EventLog;
let handler: IntentHandler;
beforeEach(() => {
  clock = new VirtualClock(BEGIN_MS);
  ({ log } = createMemoryLog({ clock, ids: sequentialIds(1) }));
  const ports = { log, model: foldedModel(log), clock, ids: sequentialIds(2), random: seededRandom(1) };
  handler = new IntentHandler(ports, 'spec-api');
});

const [queries, fleet, rollouts, budgets, cost, capacity, explain, stories] = [
  new QueriesController(),
  new FleetController(),
  new RolloutsController(),
  new BudgetsController(),
  new CostController(),
  new CapacityController(),
  new ExplainController(),
  new StoriesController(),
];
const small = { tenant: 'default', name: 'small' };
const whole = { after: 0, limit: 1_000 };
/** Every query. */
const QUESTIONS: Readonly<Record<string, (asking: Asking) => Promise<unknown>>> = {
  deployments: (asking) => queries.deployments(asking, { all: true, limit: 100 }),
  deployment: (asking) => queries.deployment(asking, small),
  replicas: (asking) => queries.replicas(asking, { deployment: 'default/small', all: true, limit: 100 }),
  routes: (asking) => queries.routes(asking, { limit: 100 }),
  rollouts: (asking) => rollouts.rollouts(asking, { all: true, limit: 100 }),
  orphans: (asking) => fleet.orphans(asking, { all: true, limit: 100 }),
  alarms: (asking) => fleet.alarms(asking, { limit: 100 }),
  fleet: (asking) => fleet.fleet(asking, {}),
  budgets: (asking) => budgets.budgets(asking, {}),
  cost: (asking) => cost.cost(asking, { by: 'replica', cited: 100 }),
  offers: (asking) => capacity.offers(asking, {}),
  history: (asking) => capacity.history(asking, { after: 0, limit: 100 }),
  'explain deployment': (asking) => explain.deployment(asking, small, whole),
  'explain route': (asking) => stories.route(asking, { tenant: 'default', alias: 'small' }, whole),
  'explain wait': (asking) => stories.wait(asking, { ...small, name: 'small-1-0-1' }, whole),
  'explain cost': (asking) => stories.cost(asking, small, whole),
  'explain alarm': (asking) => stories.alarm(asking, { alarm: 'waiting-long', about: 'default/small', ...whole }),
  'explain budget': (asking) => stories.budget(asking, { tenant: 'default' }, whole),
  'explain replica': (asking) => explain.replica(asking, { ...small, name: 'small-1-0-1' }, whole),
};

const answersTo = async (asking: Asking): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries<unknown>(
    await Promise.all(
      Object.entries(QUESTIONS).map(async ([name, ask]): Promise<readonly [string, unknown]> => [
        name,
        await ask(asking).catch((error: unknown): unknown => {
          const { status, message } = error as { status?: number; message: string };
          return { status, message };
        }),
      ]),
    ),
  );

const write = (to: string, event: NewEvent) =>
  log.append([{ stream: to, expectedVersion: 'any', events: [event] }], { tenant: 'default', service: 'x' });

/** A few hours, in which something happens to everything that can be asked for. */
async function history(afterEach: () => Promise<void>): Promise<void> {
  const url = 'http://10.0.0.1:8000/';
  const replicaId = 'default/small-1-0-1';
  const target = { replica: replicaId, deployment: 'default/small', revision: 1, url, model: 'small' };
  const steps: readonly (() => Promise<unknown>)[] = [
    () => handler.apply(manifest({ budget: { maxHourly: '3' } }, { name: 'small' }), HTTP),
    () => rented(log, { name: 'small', hourly: '1.00' }),
    () =>
      write(stream.replica(replicaId), { type: 'davit.replica.ready', data: { replicaId, url, servedModel: 'small' } }),
    () =>
      write(stream.route('default/small'), {
        type: 'davit.route.registered',
        data: { alias: 'default/small', snapshot: 1, target },
      }),
    () => handler.setBudget({ budget: { maxTotal: '100', onExceed: 'drain' } }, HTTP),
    () =>
      write(stream.fleetAlarms, {
        type: 'davit.fleet.alarm-raised',
        data: { alarm: 'waiting-long', severity: 'warning', about: 'default/small', detail: 'x' },
      }),
    () => handler.apply(manifest({ scaling: { replicas: 1 } }, { name: 'small' }), HTTP),
    () =>
      write(stream.fleetAlarms, {
        type: 'davit.fleet.alarm-cleared',
        data: { alarm: 'waiting-long', about: 'default/small', detail: '' },
      }),
    () => handler.delete({ tenant: 'default', name: 'small' }, HTTP),
  ];
  for (const step of steps) {
    await clock.advance(17 * MINUTE);
    await step();
    await afterEach();
  }
}

describe('what is asked as of a position', () => {
  test('is answered byte for byte as it was when the log ended there, whatever happened since', async () => {
    const recorded = new Map<number, string>();
    await history(async () => {
      recorded.set(await log.head(), canonicalJson(await answersTo(askedBy(log, { clock }))));
    });
    expect(new Set(recorded.values()).size).toBe(recorded.size);
    await clock.advance(1_000 * MINUTE);
    for (const [position, then] of [...recorded].reverse())
      expect(canonicalJson(await answersTo(askedBy(log, { clock, at: String(position) })))).toBe(then);
  });

  test('and as of a time, as it was at that very time', async () => {
    await history(() => Promise.resolve());
    const ask = async (at: string) => cost.cost(askedBy(log, { clock, at }), { by: 'deployment', cited: 100 });
    const half = await ask(new Date(BEGIN_MS + (2 * 17 + 30) * MINUTE).toISOString());
    expect(half.total.figures).toMatchObject([{ held: '0.500000' }]);
    expect(await ask('2026-01-02T00:34:00+01:00')).toEqual(await ask('2026-01-01T23:34:00Z'));
  });
});

describe('a moment that is none', () => {
  const problem = async (at: string) => {
    await handler.apply(manifest({}, { name: 'small' }), HTTP);
    await clock.advance(MINUTE);
    return queries.deployments(askedBy(log, { clock, at }), { all: false, limit: 100 }).then(
      () => [],
      (error: unknown) => {
        const { status, errors } = error as { status: number; errors: readonly unknown[] };
        return [status, ...errors];
      },
    );
  };
  test.each([
    ['99', '99 lies beyond the end of the log (3)', 'Write a position from 1 to 3.'],
    ['0', '0 lies before the first event', 'Write a position from 1 to 3.'],
    ['2026-01-01T23:00:00Z', '2026-01-01T23:00:00Z lies in the future', 'Write a time up to 2026-01-01T22:01:00.000Z.'],
    [
      '2026-01-01T21:00:00Z',
      '2026-01-01T21:00:00Z lies before the first event',
      'Write a time from 2026-01-01T22:00:00.000Z on.',
    ],
    [
      'yesterday',
      '"yesterday" is neither a position nor a time',
      'Write a position, 4711, or a time, 2026-09-01T16:00:00Z.',
    ],
    ['', '"" is neither a position nor a time', 'Write a position, 4711, or a time, 2026-09-01T16:00:00Z.'],
    ['-1', '"-1" is neither a position nor a time', 'Write a position, 4711, or a time, 2026-09-01T16:00:00Z.'],
  ])('%j is told so, with what can be written', async (at, message, remedy) => {
    expect(await problem(at)).toEqual([400, { path: '?at', message, remedy }]);
  });
});

test('time travel shows no tenant what is not theirs', async () => {
  for (const tenant of ['default', 'search']) await rented(log, { tenant, name: 'small', hourly: '1.00' });
  const principal = { actor: 'ci@search', role: 'viewer', tenants: ['search'] } as const;
  const at = String(await log.head());
  const { items } = await queries.replicas(askedBy(log, { principal, at }), { all: false, limit: 100 });
  expect(items.map(({ id }) => id)).toEqual(['search/small-1-0-1']);
});

/** What is now and nothing else, and the log itself. */
const OF_NOW = ['examine', 'listEvents', 'streamEvents'];
/** Names two moments of its own. */
const OF_TWO = ['getDiff'];

test('every question of the contract can be asked of the past', () => {
  const questions = OPERATIONS.filter(
    ({ id, method, role }) => method === 'GET' && role === 'viewer' && ![...OF_NOW, ...OF_TWO].includes(id),
  );
  expect(questions.filter(({ query }) => !query?.shape['at']).map(({ id }) => id)).toEqual([]);
});
