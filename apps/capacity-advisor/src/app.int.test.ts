import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bus, request } from '@davit/bus';
import { assessAnswer, subjects } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { silentLogger } from '@davit/ports';
import { type RunningService, createService, tokens } from '@davit/service-kit';
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

describe('capacity-advisor as a service', () => {
  let database: TestDatabase;
  let broker: NatsBroker;
  let service: RunningService;
  let runpod: Server;
  const seen: { url: string | undefined; authorization: string | undefined }[] = [];

  beforeAll(async () => {
    [database, broker] = await Promise.all([createDatabase(), startNats()]);
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
    };
    service = await createService(AppModule, 'capacity-advisor', { environment, logger: silentLogger });
    await service.ready;
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    runpod.closeAllConnections();
    runpod.close();
    await Promise.all([database.drop(), broker.dispose()]);
  }, 60_000);

  const ask = (question: unknown) =>
    request(service.app.get<Bus>(tokens.BUS), subjects.rpc('capacity-advisor', 'assess'), question, {
      timeoutMs: 5_000,
      reply: assessAnswer,
    });

  it('answers a planner over the bus, with the key in the header only, and records nothing', async () => {
    const accelerator = { name: 'L40S', count: 2 };
    const placement = { cloud: 'runpod', region: null, accelerator, spot: false, maxHourlyPrice: null };
    const reply = await ask({ placements: [placement, { ...placement, cloud: 'lambda' }] });
    expect(reply).toMatchObject({
      outcome: 'answered',
      body: {
        signals: [
          {
            rung: 0,
            placement,
            signal: { state: 'available', source: 'runpod-v2', price: { amount: '1.72', kind: 'quoted' } },
          },
          { rung: 1, signal: { state: 'unknown', source: 'none' } },
        ],
      },
    });
    expect(seen).toEqual([{ url: expect.not.stringContaining('canary'), authorization: 'Bearer canary' }]);
    expect(await service.app.get<EventLog>(tokens.EVENT_LOG).head()).toBe(0);
  });

  it('says what is wrong with a question it cannot answer', async () => {
    expect(await ask({ placements: [] })).toMatchObject({
      outcome: 'refused',
      problem: { status: 400, code: 'invalid-request', errors: [{ path: 'placements' }] },
    });
  });
});
