import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { diffView, replayView } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { silentLogger } from '@davit/ports';
import { type RunningService, createService, tokens } from '@davit/service-kit';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { AppModule } from '../app.module.js';
import { manifest } from '../testing/manifest.js';
import { rented } from '../testing/rented.js';

let database: TestDatabase;
let broker: NatsBroker;
let service: RunningService;
let log: EventLog;

beforeAll(async () => {
  [database, broker] = await Promise.all([createDatabase(), startNats()]);
  const environment = { DATABASE_URL: database.url, NATS_URL: broker.url };
  service = await createService(AppModule, 'spec-api', { environment, logger: silentLogger });
  await service.ready;
  log = service.app.get<EventLog>(tokens.EVENT_LOG);
}, 60_000);

afterAll(async () => {
  await service.stop();
  await broker.dispose();
  await database.drop();
}, 60_000);

const PATHS = [
  '/v1/deployments?all=true',
  '/v1/deployments/default/small',
  '/v1/replicas?all=true',
  '/v1/routes',
  '/v1/rollouts?all=true',
  '/v1/orphans?all=true',
  '/v1/alarms',
  '/v1/fleet',
  '/v1/explain/deployments/default/small',
  '/v1/explain/replicas/default/small-1-0-1',
  '/v1/explain/waits/default/small-1-0-1',
  '/v1/explain/budgets/default',
];

const get = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
  const response = await fetch(`${service.url}${path}`);
  return { status: response.status, text: await response.text() };
};
const asOf = (path: string, at: string | number): string => `${path}${path.includes('?') ? '&' : '?'}at=${at}`;
const post = async (path: string, body: unknown, status = 202): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(status);
  return response.json();
};

/** Waits until the answers stand for all of the log. */
const settled = async (): Promise<number> => {
  const head = await log.head();
  await eventually(async () => (JSON.parse((await get('/v1/routes')).text) as { position: number }).position === head);
  return head;
};

test('the answer as of a position equals, byte for byte, the live answer that was given there', async () => {
  const recorded = new Map<number, readonly string[]>();
  const steps = [
    () => post('/v1/intents/deployment/apply', manifest({}, { name: 'small' })),
    () => rented(log, { name: 'small', hourly: '1.00' }),
    () => post('/v1/intents/tenant/set-budget', { budget: { maxHourly: '5' } }),
    () => post('/v1/intents/deployment/apply', manifest({ scaling: { replicas: 3 } }, { name: 'small' })),
    () => post('/v1/intents/deployment/delete', { name: 'small' }),
  ];
  for (const step of steps) {
    await step();
    const position = await settled();
    const answers = await Promise.all(PATHS.map(get));
    recorded.set(
      position,
      answers.map(({ text }) => text.replace(/"instance":"[^"]*"/, '')),
    );
  }
  expect(new Set([...recorded.values()].map((texts) => texts.join('\n'))).size).toBe(steps.length);
  for (const [position, then] of [...recorded].reverse()) {
    const answers = await Promise.all(PATHS.map((path) => get(asOf(path, position))));
    expect(answers.map(({ text }) => text.replace(/"instance":"[^"]*"/, ''))).toEqual(then);
  }
});

test('two moments are compared, and what was decided between them is taken again, over the very log', async () => {
  const to = await settled();
  const diff = diffView.parse(JSON.parse((await get(`/v1/diff?from=1&to=${to}`)).text));
  expect(diff).toMatchObject({ from: { position: 1 }, to: { position: to }, events: to - 1 });
  expect(diff.items.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
    expect.arrayContaining(['deployment default/small', 'replica default/small-1-0-1', 'budget default']),
  );
  expect((await get(`/v1/diff?from=${to}&to=1`)).status).toBe(400);
  const replay = replayView.parse(await post('/v1/replay', { policy: {} }, 200));
  expect(replay).toMatchObject({ differing: 0, differences: [], events: to });
  await post('/v1/replay', { policy: { placement: { objective: 'speed' } } }, 422);
});

test('a moment that is none is a problem document; a mistake in its name is none of no moment', async () => {
  for (const at of ['999999', '2999-01-01T00:00:00Z', 'noon']) {
    const { status, text } = await get(asOf('/v1/replicas', at));
    expect([status, (JSON.parse(text) as { errors: { path: string }[] }).errors[0]?.path]).toEqual([400, '?at']);
  }
  expect((await get('/v1/replicas?att=1')).status).toBe(400);
});
