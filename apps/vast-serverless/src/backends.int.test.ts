import { type NewEvent, stream } from '@davit/contracts';
import { externalKeyOf, replicaIdOf } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import { silentLogger } from '@davit/ports';
import { ConfigError, createService, type RunningService, tokens } from '@davit/service-kit';
import { createDatabase, type NatsBroker, startNats, type TestDatabase } from '@davit/test-support';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppModule } from './app.module.js';

const IDENTITY = { deployment: 'default/qwen', revision: 1, ordinal: 0, incarnation: 1 };
const ID = replicaIdOf(IDENTITY);
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';

describe('a key of Vast that still has endpoints to end', () => {
  let database: TestDatabase;
  let broker: NatsBroker;
  const start = (apiKey: string | undefined): Promise<RunningService> =>
    createService(AppModule, 'vast-serverless', {
      environment: {
        DATABASE_URL: database.url,
        NATS_URL: broker.url,
        VAST_CONSOLE_URL: NOWHERE,
        VAST_RUN_URL: NOWHERE,
        VAST_OPENAI_URL: NOWHERE,
        ...(apiKey === undefined ? {} : { VAST_API_KEY: apiKey }),
      },
      logger: silentLogger,
    });
  const append = async (service: RunningService, ...events: [NewEvent, ...NewEvent[]]): Promise<void> => {
    const write = { stream: stream.replica(ID), expectedVersion: 'any', events } as const;
    const log = service.app.get<EventLog>(tokens.EVENT_LOG);
    expect((await log.append([write], { tenant: 'default', service: 'test' })).outcome).toBe('appended');
  };

  beforeAll(async () => {
    [database, broker] = await Promise.all([createDatabase(), startNats()]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([database.drop(), broker.dispose()]);
  }, 60_000);

  test('cannot be taken away: the start is refused before anything is done, until they are gone', async () => {
    const first = await start(undefined);
    await first.ready;
    await append(first, {
      type: 'davit.replica.requested',
      data: {
        ...{ ...IDENTITY, replicaId: ID, externalKey: externalKeyOf(IDENTITY, 'davit') },
        ...{ mode: 'serverless', adapter: 'vast-serverless', servedName: 'qwen', reason: 'wanted', replaces: null },
      },
    });
    await first.stop();

    for (const missing of [undefined, '']) {
      const refused = await start(missing);
      const refusal: unknown = await refused.ready.catch((error: unknown) => error);
      await refused.stop();
      expect(refusal).toBeInstanceOf(ConfigError);
      expect(String(refusal)).toContain(`VAST_API_KEY is not set, and there are endpoints that only it can end: ${ID}`);
    }

    const again = await start('some-key');
    await again.ready;
    await append(
      again,
      { type: 'davit.replica.delete-requested', data: { replicaId: ID, reason: 'not wanted' } },
      { type: 'davit.replica.deleted', data: { replicaId: ID, reason: 'gone' } },
    );
    await again.stop();
    const without = await start(undefined);
    await without.ready;
    await without.stop();
  }, 120_000);
});
