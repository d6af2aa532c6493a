import { inspect } from 'node:util';
import {
  type NewEvent,
  type NormalisedDeployment,
  parseDeployment,
  type RecordedEvent,
  stream,
} from '@davit/contracts';
import { checkLaws, externalKeyOf } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import type { Logger } from '@davit/ports';
import { createService, type RunningService, tokens } from '@davit/service-kit';
import {
  createDatabase,
  eventually,
  type NatsBroker,
  startNats,
  startWorld,
  type TestDatabase,
  type WorldProcess,
} from '@davit/test-support';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppModule } from './app.module.js';

const KEY = 'default/qwen';
const REPLICA = 'default/qwen-1-0-1';
const IDENTITY = { deployment: KEY, revision: 1, ordinal: 0, incarnation: 1 };
const EXTERNAL_KEY = externalKeyOf(IDENTITY, 'davit');

describe('vast-serverless over the real seams: PostgreSQL, NATS, and HTTP', () => {
  let database: TestDatabase;
  let broker: NatsBroker;
  let world: WorldProcess;
  let service: RunningService;
  /** All that the service logs, at every level. */
  const lines: string[] = [];

  beforeAll(async () => {
    [database, broker, world] = await Promise.all([
      createDatabase(),
      startNats(),
      startWorld({ WORLD_LOAD_MS: '100', WORLD_TERMINATE_MS: '100' }),
    ]);
    const environment = {
      DATABASE_URL: database.url,
      NATS_URL: broker.url,
      VAST_CONSOLE_URL: world.vastConsoleUrl,
      VAST_RUN_URL: world.vastRunUrl,
      VAST_OPENAI_URL: world.vastOpenaiUrl,
      VAST_API_KEY: world.keys.vast,
      VAST_PACE_SCALE: '0.02',
      DAVIT_RESOURCE_LOOK: '200ms',
      DAVIT_ABSENCE_SPACING: '1s',
      DAVIT_LAUNCH_VISIBILITY: '2s',
      DAVIT_DELETE_RETRY: '3s',
    };
    service = await createService(AppModule, 'vast-serverless', { environment, logger: recordingLogger(lines) });
    await service.ready;
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await Promise.all([database.drop(), broker.dispose(), world.stop()]);
  }, 60_000);

  const log = (): EventLog => service.app.get<EventLog>(tokens.EVENT_LOG);
  const append = async (name: string, ...events: readonly [NewEvent, ...NewEvent[]]): Promise<void> => {
    const write = { stream: name, expectedVersion: 'any', events } as const;
    expect((await log().append([write], { tenant: 'default', service: 'test' })).outcome).toBe('appended');
  };
  const untilFact = (type: string, matches: (data: object) => boolean = () => true): Promise<RecordedEvent> =>
    eventually(
      async () => {
        const facts = await log().readStream(stream.endpoint(EXTERNAL_KEY));
        return facts.find((event) => event.type === `davit.endpoint.${type}` && matches(event.data));
      },
      { timeoutMs: 30_000 },
    );

  test('an endpoint whose creation was not answered is found, serves through the proxy, and is proven gone', async () => {
    await world.control('POST', '/faults', {
      service: 'vast-console',
      verb: 'POST /api/v0/workergroups/',
      effect: { kind: 'lost-reply' },
    });
    await append(stream.deployment(KEY), {
      type: 'davit.deployment.declared',
      data: {
        intentId: '00000000-0000-7000-8000-000000000001',
        generation: 1,
        revision: 1,
        templateDigest: 'a'.repeat(64),
        spec: specification(world.vastTemplateHash),
      },
    });
    const adapter = 'vast-serverless';
    const reason = { servedName: 'qwen3-8b', reason: 'wanted', replaces: null };
    await append(
      stream.replica(REPLICA),
      {
        type: 'davit.replica.requested',
        data: { replicaId: REPLICA, ...IDENTITY, externalKey: EXTERNAL_KEY, mode: 'serverless', adapter, ...reason },
      },
      { type: 'davit.replica.discovery-requested', data: { replicaId: REPLICA, attempt: 1 } },
    );
    await untilFact('discovered');
    await append(
      stream.replica(REPLICA),
      {
        type: 'davit.replica.placed',
        data: { replicaId: REPLICA, rung: null, placement: null, adopted: false, price: null, evidence: [] },
      },
      {
        type: 'davit.replica.launch-requested',
        data: { replicaId: REPLICA, attempt: 1, deadlineAt: new Date(Date.now() + 600_000).toISOString() },
      },
    );
    await untilFact('launch-unknown');
    expect((await untilFact('launch-accepted')).data).toMatchObject({ resolvedBy: 'discovery' });
    const up = await untilFact('observed', (data) => 'phase' in data && data.phase === 'up');
    const url = 'url' in up.data ? String(up.data.url) : '';
    const headers = { authorization: `Bearer ${world.keys.vast}` };
    const models = await (await fetch(`${url}/v1/models`, { headers })).json();
    expect(JSON.stringify(models)).toContain('qwen3-8b');

    await append(stream.replica(REPLICA), {
      type: 'davit.replica.delete-requested',
      data: { replicaId: REPLICA, reason: 'the test is over' },
    });
    await untilFact('absence-confirmed');
    expect(await world.control('GET', '/ledger')).toMatchObject({ running: 0 });
    const events = await log().read(0, 10_000);
    expect(checkLaws(events, { ended: false })).toEqual([]);
    // The world knows every secret that it showed anybody, and looks for each of them.
    const shown = await world.control('POST', '/vast/scan', { key: world.keys.vast });
    expect(shown).toEqual({ found: ['account key'] });
    expect(await world.control('POST', '/vast/scan', { events, lines })).toEqual({ found: [] });
    expect(lines.length).toBeGreaterThan(0);
  }, 90_000);
});

function specification(templateHash: string): NormalisedDeployment {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen3-8b' },
      runtime: { engine: 'vllm' },
      compute: { mode: 'serverless', templateHash, workers: { cold: 1, max: 2, minLoad: 1 } },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.deployment;
}

function recordingLogger(lines: string[]): Logger {
  const line = (...said: readonly unknown[]): void => void lines.push(inspect(said, { depth: 10 }));
  const logger: Logger = { debug: line, info: line, warn: line, error: line, child: () => logger };
  return logger;
}
