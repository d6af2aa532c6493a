import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { type NewEvent, type RecordedEvent, stream } from '@davit/contracts';
import { checkLaws, externalKeyOf, replicaIdOf } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import type { LogFields, Logger } from '@davit/ports';
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
import { elasticSpec, SECRET_VALUE } from './testing/world-rig.js';

const KEY = 'default/qwen';
let slots = 0;

/** What goes wrong, by command, with the machine of one replica. */
type Faults = Readonly<Record<string, object>>;
type Replica = { readonly id: string; readonly externalKey: string };
type Life = { readonly machines: readonly number[]; readonly facts: readonly RecordedEvent[] };

describe('skypilot-agent over the real seams: PostgreSQL, NATS, and the sky executable', () => {
  let database: TestDatabase;
  let broker: NatsBroker;
  let world: WorldProcess;
  let service: RunningService;
  let home: string;
  const lines: string[] = [];
  let lives: Readonly<Record<'ordinary' | 'unanswered' | 'liedTo' | 'forgotten', Promise<Life>>>;

  const log = (): EventLog => service.app.get<EventLog>(tokens.EVENT_LOG);

  const start = async (): Promise<void> => {
    const environment = {
      DATABASE_URL: database.url,
      NATS_URL: broker.url,
      SKY_BIN: world.skyBin,
      RUNPOD_API_URL: world.runpodUrl,
      RUNPOD_API_KEY: world.keys.runpod,
      DAVIT_HOME: home,
      DAVIT_LEASE_TTL: '1s',
      DAVIT_RESOURCE_LOOK: '400ms',
      DAVIT_ABSENCE_SPACING: '1s',
      DAVIT_LAUNCH_VISIBILITY: '2s',
      DAVIT_DELETE_RETRY: '3s',
    };
    service = await createService(AppModule, 'skypilot-agent', { environment, logger: recorder(lines) });
    await service.ready;
  };
  beforeAll(async () => {
    process.env['HF_TOKEN'] = SECRET_VALUE;
    home = await mkdtemp(path.join(tmpdir(), 'davit-agent-'));
    [database, broker, world] = await Promise.all([
      createDatabase(),
      startNats(),
      startWorld({ WORLD_PROVISION_MS: '300', WORLD_LOAD_MS: '100', WORLD_TERMINATE_MS: '100' }),
    ]);
    await start();
    await declare();
    // All of them live at once: what is waited for is the provider, and one look at it serves them all.
    lives = {
      ordinary: life({}, { far: untilAnswers }),
      unanswered: life({ launch: { kind: 'lost-reply' } }, { far: untilUp }),
      liedTo: life({ down: { kind: 'down-lies' } }, { far: untilUp }),
      forgotten: life({ launch: { kind: 'row-lost' } }, { far: untilForgotten }),
    };
    // Each is awaited by its own test.
    for (const each of Object.values(lives)) each.catch(() => undefined);
  }, 120_000);
  afterAll(async () => {
    delete process.env['HF_TOKEN'];
    await service.stop();
    await Promise.all([database.drop(), broker.dispose(), world.stop(), rm(home, { recursive: true, force: true })]);
  }, 60_000);

  const append = async (name: string, ...events: readonly [NewEvent, ...NewEvent[]]): Promise<void> => {
    const write = { stream: name, expectedVersion: 'any', events } as const;
    const result = await log().append([write], { tenant: 'default', service: 'test', correlationId: 'corr-1' });
    expect(result.outcome).toBe('appended');
  };
  const everything = (): Promise<readonly RecordedEvent[]> => log().read(0, 10_000);
  const factsOf = async (externalKey: string): Promise<readonly RecordedEvent[]> =>
    log().readStream(stream.resource(externalKey));
  const untilFact = (externalKey: string, type: string, matches: (data: object) => boolean = () => true) =>
    eventually(
      async () =>
        (await factsOf(externalKey)).find((event) => event.type === `davit.resource.${type}` && matches(event.data)),
      { timeoutMs: 100_000 },
    );
  /** Machines that exist under this key, by the world's own books. */
  const machines = async (externalKey: string): Promise<number> => {
    const all = (await world.control('GET', '/machines')) as {
      machines: readonly { name: string; endedAtMs: number | null }[];
    };
    return all.machines.filter(({ name, endedAtMs }) => name.startsWith(externalKey) && endedAtMs === null).length;
  };

  const spec = elasticSpec();
  const declare = () =>
    append(stream.deployment(KEY), {
      type: 'davit.deployment.declared',
      data: {
        ...{ intentId: '00000000-0000-7000-8000-000000000001', generation: 1, revision: 1 },
        ...{ templateDigest: 'a'.repeat(64), spec },
      },
    });

  /** What orchestrator would have written. */
  async function requested(faults: Faults = {}): Promise<Replica> {
    const identity = { deployment: KEY, revision: 1, ordinal: slots++, incarnation: 1 };
    const id = replicaIdOf(identity);
    const externalKey = externalKeyOf(identity, 'davit');
    for (const [verb, effect] of Object.entries(faults))
      await world.control('POST', '/faults', { service: 'sky', verb, name: externalKey, effect });
    await append(
      stream.replica(id),
      {
        type: 'davit.replica.requested',
        data: {
          replicaId: id,
          ...identity,
          externalKey,
          mode: 'elastic',
          adapter: 'skypilot',
          servedName: 'qwen',
          reason: 'wanted',
          replaces: null,
        },
      },
      { type: 'davit.replica.discovery-requested', data: { replicaId: id, attempt: 1 } },
    );
    await untilFact(externalKey, 'discovered');
    const { compute } = spec.spec;
    const placements = compute.mode === 'elastic' ? compute.placements : [];
    const placement = placements[0] ?? null;
    const evidence = placements.map((candidate, rung) => ({
      rung,
      placement: candidate,
      state: 'unknown' as const,
      source: 'none',
      scope: 'none',
      observedAt: null,
      verdict: rung === 0 ? ('chosen' as const) : ('next' as const),
      reason: 'first of the ladder',
    }));
    await append(
      stream.replica(id),
      {
        type: 'davit.replica.placed',
        data: { replicaId: id, rung: 0, placement, adopted: false, price: null, evidence },
      },
      {
        type: 'davit.replica.launch-requested',
        data: { replicaId: id, attempt: 1, deadlineAt: new Date(Date.now() + 600_000).toISOString() },
      },
    );
    return { id, externalKey };
  }
  const remove = async ({ id, externalKey }: Replica): Promise<void> => {
    await append(stream.replica(id), {
      type: 'davit.replica.delete-requested',
      data: { replicaId: id, reason: 'the test is over' },
    });
    await untilFact(externalKey, 'absence-confirmed');
  };
  const isUp = (data: object): boolean => 'phase' in data && data.phase === 'up' && 'url' in data && data.url !== null;

  /** A replica from its request to its proven absence, and what there was in the world when it had come `so far`. */
  async function life(faults: Faults, so: { readonly far: (replica: Replica) => Promise<unknown> }): Promise<Life> {
    const replica = await requested(faults);
    await so.far(replica);
    const atWork = await machines(replica.externalKey);
    await remove(replica);
    const atLast = await machines(replica.externalKey);
    return { machines: [atWork, atLast], facts: await factsOf(replica.externalKey) };
  }
  const untilUp = ({ externalKey }: Replica) => untilFact(externalKey, 'observed', isUp);
  const untilAnswers = async (replica: Replica): Promise<void> => {
    const { data } = await untilUp(replica);
    const url = 'url' in data ? String(data.url) : '';
    await eventually(async () => (await fetch(`${url}/health`)).ok);
  };
  const untilForgotten = ({ externalKey }: Replica) =>
    untilFact(externalKey, 'drifted', (data) => 'what' in data && data.what === 'record-lost');

  test('a replica is launched once, comes up where a model server answers, and is proven gone after deletion', async () => {
    const { machines: counted, facts } = await lives.ordinary;
    expect(counted).toEqual([1, 0]);
    const types = facts.map(({ type }) => type.replace('davit.resource.', ''));
    expect(types.slice(0, 3)).toEqual(['discovered', 'launch-attempted', 'launch-accepted']);
    expect(types.slice(-2)).toEqual(['absence-observed', 'absence-confirmed']);
    expect(facts.every(({ correlationid }) => correlationid === 'corr-1')).toBe(true);
  }, 120_000);

  test('a launch whose answer was lost is found again, and nothing is launched twice', async () => {
    const { machines: counted, facts } = await lives.unanswered;
    expect(counted).toEqual([1, 0]);
    expect(facts.some(({ type }) => type.endsWith('launch-unknown'))).toBe(true);
    const accepted = facts.filter(({ type }) => type.endsWith('launch-accepted'));
    expect(accepted.map(({ data }) => data)).toMatchObject([{ resolvedBy: 'discovery' }]);
  }, 120_000);

  test('a termination that lies is noticed, and asked for again until nothing is left', async () => {
    const { machines: counted, facts } = await lives.liedTo;
    expect(counted).toEqual([1, 0]);
    expect(facts.filter(({ type }) => type.endsWith('delete-attempted'))).toHaveLength(2);
  }, 120_000);

  test('a machine whose row SkyPilot lost is never called gone, and is ended at RunPod itself', async () => {
    const { machines: counted, facts } = await lives.forgotten;
    expect(counted).toEqual([1, 0]);
    expect(facts.find(({ type }) => type.endsWith('delete-accepted'))?.data).toMatchObject({
      detail: expect.stringContaining('termination of pod'),
    });
    const confirmed = facts.find(({ type }) => type.endsWith('absence-confirmed'));
    expect(confirmed?.data).toMatchObject({ inventorySources: ['sky status', 'runpod-v2'] });
  }, 120_000);

  test('a service that is replaced in the middle of a launch goes on from the log', async () => {
    const replica = await requested({ launch: { kind: 'late-visibility', ms: 1_000 } });
    await untilFact(replica.externalKey, 'launch-attempted');
    await service.stop();
    await start();
    await untilUp(replica);
    expect(await machines(replica.externalKey)).toBe(1);
    await remove(replica);
    expect(await machines(replica.externalKey)).toBe(0);
  }, 120_000);

  test('the laws hold over all that was written, and no secret is in it, in a log line or in a file', async () => {
    const events = await everything();
    expect(checkLaws(events, { ended: false })).toEqual([]);
    const files = await readdir(home, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')),
    );
    const calls = JSON.stringify(await world.control('GET', '/calls'));
    const everyText = [JSON.stringify(events), calls, ...lines, ...contents].join('\n');
    expect(lines.length).toBeGreaterThan(5);
    expect(everyText).not.toContain(SECRET_VALUE);
  });
});

/** A logger whose lines can be searched. */
function recorder(lines: string[], bound: LogFields = {}): Logger {
  const write = (fields: LogFields, message: string): void =>
    void lines.push(inspect({ ...bound, ...fields, message }, { depth: 8, breakLength: Infinity }));
  return {
    debug: write,
    info: write,
    warn: write,
    error: write,
    child: (fields) => recorder(lines, { ...bound, ...fields }),
  };
}
