import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stream } from '@davit/contracts';
import { externalKeyOf, replicaIdOf } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import { silentLogger } from '@davit/ports';
import { ConfigError, createService, type RunningService, tokens } from '@davit/service-kit';
import { createDatabase, type NatsBroker, startNats, type TestDatabase } from '@davit/test-support';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppModule } from './app.module.js';

const IDENTITY = { deployment: 'default/own', revision: 1, ordinal: 0, incarnation: 1 };
const ID = replicaIdOf(IDENTITY);

describe('a backend that still has replicas', () => {
  let database: TestDatabase;
  let broker: NatsBroker;
  let home: string;
  const start = (backends: string): Promise<RunningService> =>
    createService(AppModule, 'skypilot-agent', {
      environment: {
        DATABASE_URL: database.url,
        NATS_URL: broker.url,
        DAVIT_HOME: home,
        SKY_BIN: '/nowhere/sky',
        DAVIT_BACKENDS: backends,
      },
      logger: silentLogger,
    });

  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'davit-agent-'));
    [database, broker] = await Promise.all([createDatabase(), startNats()]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([database.drop(), broker.dispose(), rm(home, { recursive: true, force: true })]);
  }, 60_000);

  test('cannot be left out: the start is refused, with the replicas and the remedy, until they are gone', async () => {
    const first = await start('skypilot,direct');
    await first.ready;
    const log = first.app.get<EventLog>(tokens.EVENT_LOG);
    const externalKey = externalKeyOf(IDENTITY, 'davit');
    const requested = { ...IDENTITY, replicaId: ID, externalKey, mode: 'direct', adapter: 'direct' } as const;
    const append = (...events: Parameters<EventLog['append']>[0][0]['events']) =>
      log.append([{ stream: stream.replica(ID), expectedVersion: 'any', events }], {
        tenant: 'default',
        service: 'test',
      });
    await append({
      type: 'davit.replica.requested',
      data: { ...requested, servedName: 'own', reason: 'wanted', replaces: null },
    });
    await first.stop();

    const refused = await start('skypilot');
    const refusal: unknown = await refused.ready.catch((error: unknown) => error);
    await refused.stop();
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(String(refusal)).toContain(`"direct", which still has replicas: ${ID} (requested)`);
    expect(String(refusal)).toContain('delete their deployments');

    const again = await start('skypilot,direct');
    await again.ready;
    await again.app.get<EventLog>(tokens.EVENT_LOG).append(
      [
        {
          stream: stream.replica(ID),
          expectedVersion: 'any',
          events: [
            { type: 'davit.replica.delete-requested', data: { replicaId: ID, reason: 'not wanted' } },
            { type: 'davit.replica.deleted', data: { replicaId: ID, reason: 'released' } },
          ],
        },
      ],
      { tenant: 'default', service: 'test' },
    );
    await again.stop();
    const without = await start('skypilot');
    await without.ready;
    await without.stop();
  }, 120_000);

  test.each(['sky', 'skypilot,skypilot', 'skypilot,'])('is named exactly: %j is no list of backends', async (text) => {
    await expect(start(text)).rejects.toThrow('Set names from skypilot, direct');
  });
});
