import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bus, request } from '@davit/bus';
import { assessAnswer, subjects } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { silentLogger } from '@davit/ports';
import { type RunningService, ServiceHealth, createService, tokens } from '@davit/service-kit';
import { type NatsBroker, type TestDatabase, createDatabase, startNats } from '@davit/test-support';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppModule } from './app.module.js';

const ENTRY = {
  id: 'NVIDIA L40S',
  secure: true,
  price: { secure: 0.86 },
  maxCount: { secure: 8 },
  availability: 'HIGH',
};

const row = (cloud: string, amount: string) => ({
  cloud,
  accelerator: 'H100',
  market: 'on-demand',
  amount,
  currency: 'USD',
  unit: 'gpu-hour',
  storage: 'included',
});
const table = (...rows: readonly object[]): string => JSON.stringify({ prices: rows });

describe('capacity-advisor as a service', () => {
  let folder: string;
  let tablePath: string;
  let database: TestDatabase;
  let broker: NatsBroker;
  let service: RunningService;
  let runpod: Server;
  const seen: { url: string | undefined; authorization: string | undefined }[] = [];

  beforeAll(async () => {
    [database, broker] = await Promise.all([createDatabase(), startNats()]);
    folder = await mkdtemp(path.join(tmpdir(), 'davit-prices-'));
    tablePath = path.join(folder, 'prices.json');
    await writeFile(tablePath, table(row('lambda', '1.85')));
    runpod = createServer(({ url, headers }, response) => {
      seen.push({ url, authorization: headers.authorization });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(ENTRY));
    });
    await new Promise<void>((resolve) => runpod.listen(0, '127.0.0.1', resolve));
    const { port } = runpod.address() as AddressInfo; // listens on TCP, so it has a port
    const environment = {
      DATABASE_URL: database.url,
      NATS_URL: broker.url,
      RUNPOD_API_URL: `http://127.0.0.1:${port}`,
      RUNPOD_API_KEY: 'canary',
      DAVIT_PRICES: tablePath,
      DAVIT_SKY_CATALOGUE: fileURLToPath(new URL('prices/fixtures', import.meta.url)),
    };
    service = await createService(AppModule, 'capacity-advisor', { environment, logger: silentLogger });
    await service.ready;
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    runpod.closeAllConnections();
    runpod.close();
    await Promise.all([database.drop(), broker.dispose(), rm(folder, { recursive: true })]);
  }, 60_000);

  const ask = (question: unknown) =>
    request(service.app.get<Bus>(tokens.BUS), subjects.rpc('capacity-advisor', 'assess'), question, {
      timeoutMs: 5_000,
      reply: assessAnswer,
    });

  it('answers a planner over the bus, with the key in the header only, and records nothing', async () => {
    const accelerator = { name: 'L40S', count: 2 };
    const placement = { cloud: 'runpod', region: null, accelerator, spot: false, maxHourlyPrice: null };
    const reply = await ask({ placements: [placement, { ...placement, cloud: 'lambda' }], diskGiB: 250 });
    expect(reply).toMatchObject({
      outcome: 'answered',
      body: {
        signals: [
          {
            rung: 0,
            placement,
            signal: {
              state: 'available',
              source: 'runpod-v2',
              price: { amount: '1.72', kind: 'quoted', market: 'on-demand', storage: 'excluded' },
              asked: { count: 2, region: null, market: 'on-demand', diskGiB: 250 },
              raw: { availability: 'HIGH' },
              confidence: 0.5,
            },
          },
          { rung: 1, signal: { state: 'unknown', source: 'none' } },
        ],
      },
    });
    expect(seen).toEqual([{ url: expect.not.stringContaining('canary'), authorization: 'Bearer canary' }]);
    expect(await service.app.get<EventLog>(tokens.EVENT_LOG).head()).toBe(0);
  });

  it('prices what it cannot be quoted by the operator’s table, then by list prices, for the whole machine', async () => {
    const priceOf = async (cloud: string, count: number): Promise<unknown> => {
      const accelerator = { name: 'H100', count };
      const placement = { cloud, region: null, accelerator, spot: false, maxHourlyPrice: null };
      const reply = await ask({ placements: [placement] });
      return reply.outcome === 'answered' ? reply.body.signals[0]?.signal.price : reply;
    };
    expect(await priceOf('lambda', 8)).toMatchObject({ amount: '14.80', source: 'operator', kind: 'catalogue' });
    expect(await priceOf('aws', 8)).toMatchObject({ amount: '63.592', source: 'sky-catalogue', market: 'on-demand' });
    expect(await priceOf('aws', 2)).toBeNull();
  });

  it('tells of a table that is broken in its health, is ready all the same, and prices by the last good one', async () => {
    const prices = async () => {
      const { status, checks } = await service.app.get(ServiceHealth).report();
      return { status, check: checks.find(({ name }) => name === 'prices') };
    };
    expect(await prices()).toMatchObject({ check: { ok: true, detail: {} } });
    await writeFile(tablePath, table(row('lambda', '-1')));
    let told = await prices();
    for (const endMs = Date.now() + 20_000; told.check?.ok !== false && Date.now() < endMs; told = await prices())
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(told).toMatchObject({
      status: 'degraded',
      check: { required: false, ok: false, detail: { faults: [expect.stringContaining('prices[0].amount "-1"')] } },
    });
    expect(
      await ask({
        placements: [
          { cloud: 'lambda', region: null, accelerator: { name: 'H100', count: 1 }, spot: false, maxHourlyPrice: null },
        ],
      }),
    ).toMatchObject({
      body: { signals: [{ signal: { price: { amount: '1.85', source: 'operator' } } }] },
    });
  }, 30_000);

  it('says what is wrong with a question it cannot answer', async () => {
    expect(await ask({ placements: [] })).toMatchObject({
      outcome: 'refused',
      problem: { status: 400, code: 'invalid-request', errors: [{ path: 'placements' }] },
    });
  });
});
