import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type NewEvent, capacityHistory, offersAnswer, problemDocument, whatIfView } from '@davit/contracts';
import { silentLogger } from '@davit/ports';
import { type RunningService, createService, tokens, type ServicePorts } from '@davit/service-kit';
import { type NatsBroker, type TestDatabase, createDatabase, startNats } from '@davit/test-support';
import { AppModule } from '../app.module.js';
import { manifest } from '../testing/manifest.js';

let database: TestDatabase;
let broker: NatsBroker;
let service: RunningService;

beforeAll(async () => {
  [database, broker] = await Promise.all([createDatabase(), startNats()]);
  const environment = { DATABASE_URL: database.url, NATS_URL: broker.url };
  service = await createService(AppModule, 'spec-api', { environment, logger: silentLogger });
  await service.ready;
}, 60_000);

afterAll(async () => {
  await service.stop();
  await broker.dispose();
  await database.drop();
}, 60_000);

async function http(method: string, path: string, body?: unknown) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

test('what was sampled is in the history, among the offers, and in a replay', async () => {
  const now = Date.now();
  const placement = {
    cloud: 'runpod',
    region: null,
    accelerator: { name: 'L40S', count: 1 },
    spot: false,
    maxHourlyPrice: null,
  };
  const sampled: NewEvent = {
    type: 'davit.capacity.sampled',
    data: {
      placement,
      signal: {
        state: 'available',
        source: 'runpod-v2',
        scope: 'global',
        level: 'HIGH',
        observedAt: new Date(now).toISOString(),
        expiresAt: new Date(now + 600_000).toISOString(),
        price: null,
        detail: '',
        permanent: false,
      },
    },
  };
  const { log } = service.app.get<ServicePorts>(tokens.SERVICE_PORTS);
  const write = { stream: 'capacity/runpod:L40S:1', expectedVersion: 'any' as const, events: [sampled] as const };
  await log.append([write], { tenant: 'default', service: 'capacity-advisor' });

  const history = capacityHistory.parse((await http('GET', '/v1/capacity/history?from=1h&cloud=runpod')).body);
  expect(history.items).toEqual([expect.objectContaining({ kind: 'signal', offer: 'runpod:*:L40S:1', position: 1 })]);
  const offers = offersAnswer.parse((await http('GET', '/v1/capacity/offers')).body);
  expect(offers.items).toEqual([expect.objectContaining({ state: 'available', confidence: 0.5 })]);
  const whatIf = await http('POST', '/v1/whatif', { deployment: manifest(), from: '1h' });
  expect(whatIf.status).toBe(200);
  expect(whatIfView.parse(whatIf.body).slots).toHaveLength(2);
});

test.each([
  ['GET', '/v1/capacity/history?clowd=x', undefined, 400],
  ['GET', '/v1/capacity/offers?spot=maybe', undefined, 400],
  ['POST', '/v1/whatif', {}, 422],
  ['POST', '/v1/whatif', { against: 'nobody' }, 404],
])('%s %s with %j is a problem document', async (method, path, body, status) => {
  const answer = await http(method, path, body);
  expect(answer.status).toBe(status);
  expect(problemDocument.parse(answer.body).errors).toHaveLength(1);
});
