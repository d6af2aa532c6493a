import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type HourlyPrice,
  type NewEvent,
  type RecordedEvent,
  type SpendLimits,
  parseDeployment,
  stream,
} from '@davit/contracts';
import {
  type DeploymentState,
  type LifecycleDocument,
  type ReplicaState,
  declare,
  lifecycleProjection,
} from '@davit/domain';
import { type LogFeed, type MemoryEventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds, silentLogger, sleep } from '@davit/ports';
import { type ReadModel, createProjectionRunner, inMemoryProjectionStores } from '@davit/projection';
import { type ControlLoop, createControlLoop } from '@davit/reconcile';
import { BudgetReader } from './budgets.js';
import { orchestratorControllers } from './controllers.js';

const INTENT = '00000000-0000-7000-8000-00000000aaaa';
const placement = {
  ...{ cloud: 'runpod', region: null, accelerator: { name: 'L40S', count: 1 }, spot: false, maxHourlyPrice: null },
};

let clock: VirtualClock;
let log: MemoryEventLog;
let loops: ControlLoop[];
/** What the tables of the instances hold otherwise than the log says. */
let spoil: (document: LifecycleDocument | undefined) => LifecycleDocument | undefined;

/** Two instances of the service, each with tables of its own; the second hears everything later. */
beforeEach(() => {
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const memory = createMemoryLog({ clock, ids: sequentialIds() });
  log = memory.log;
  spoil = (document) => document;
  const definition: typeof lifecycleProjection = {
    ...lifecycleProjection,
    evolve: (document, event, ref) => spoil(lifecycleProjection.evolve(document, event, ref)),
  };
  loops = [0, 70].map((lateMs, instance) => {
    const feed: LogFeed = {
      subscribe: (after, onEvents) =>
        memory.feed.subscribe(after, async (events) => {
          if (lateMs > 0) await sleep(clock, lateMs);
          await onEvents(events);
        }),
    };
    const store = inMemoryProjectionStores().store(definition);
    const parts = { log, clock, logger: silentLogger };
    return createControlLoop({
      ...{ service: 'orchestrator', instanceId: `instance-${instance}`, leases: memory.leases, ...parts },
      projection: createProjectionRunner({ definition, store, feed, ...parts }),
      controllers: orchestratorControllers({ installation: 'test' }),
      random: seededRandom(instance),
    });
  });
});
afterEach(() => Promise.all(loops.map((loop) => loop.stop())));

const write = (name: string, ...events: readonly [NewEvent, ...NewEvent[]]) =>
  log.append([{ stream: name, expectedVersion: 'any', events }], { tenant: 'default', service: 'test' });

async function folded(): Promise<ReadonlyMap<string, LifecycleDocument>> {
  const documents = new Map<string, LifecycleDocument>();
  for (const event of await log.read(0, 10_000))
    for (const ref of lifecycleProjection.refs(event)) {
      const name = `${ref.kind}:${ref.key}`;
      const document = lifecycleProjection.evolve(documents.get(name), event, ref);
      if (document) documents.set(name, document);
    }
  return documents;
}

async function declared(name: string, replicas: number, budget?: SpendLimits): Promise<void> {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: name },
      runtime: { engine: 'vllm' },
      compute: { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] },
      scaling: { replicas },
      ...(budget ? { budget } : {}),
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const before = (await folded()).get(`deployment:default/${name}`) as DeploymentState | undefined; // folded under this kind
  const outcome = declare(before, parsed.deployment, INTENT);
  const [first, ...rest] = outcome.outcome === 'accepted' ? outcome.events : [];
  if (first) await write(stream.deployment(`default/${name}`), first, ...rest);
}
/** Assessments whose quotes name no source, which no event may. */
const unwritable = (assessments: ReplicaState['assessments']): unknown =>
  Object.fromEntries(
    Object.entries(assessments).map(([rung, signal]) => [
      rung,
      { ...signal, price: signal.price && { ...signal.price, source: 7 } },
    ]),
  );
const limit = (budget: SpendLimits | null) =>
  write(stream.tenant('default'), { type: 'davit.tenant.budget-set', data: { intentId: INTENT, budget } });

const price = (amount: string, kind: HourlyPrice['kind']): HourlyPrice => ({
  ...{ amount, currency: 'USD', unit: 'instance-hour', kind, source: 'runpod-v2' },
  observedAt: new Date(clock.nowMs()).toISOString(),
});
const ofType = async <Type extends RecordedEvent['type']>(type: Type) =>
  (await log.read(0, 10_000)).filter((event): event is Extract<RecordedEvent, { type: Type }> => event.type === type);

/** Agent and advisor: nothing is there, and each offer costs two an hour. */
async function answerAll(): Promise<void> {
  const asked = await ofType('davit.replica.discovery-requested');
  const answered = await ofType('davit.resource.discovered');
  const keys = new Map((await ofType('davit.replica.requested')).map(({ data }) => [data.replicaId, data.externalKey]));
  for (const { data } of asked) {
    const { replicaId, attempt } = data;
    if (answered.some((event) => event.data.replicaId === replicaId && event.data.attempt === attempt)) continue;
    const externalKey = keys.get(replicaId) ?? '';
    const signal = {
      ...({ state: 'available', source: 'runpod-v2', scope: 'global', level: 'High', permanent: false } as const),
      ...{ observedAt: new Date(clock.nowMs()).toISOString(), price: price('2.00', 'quoted'), detail: '' },
      expiresAt: new Date(clock.nowMs() + 600_000).toISOString(),
    };
    await write(stream.capacity('runpod:*:L40S:1'), {
      type: 'davit.capacity.assessed',
      data: { replicaId, attempt, rung: 0, placement, signal },
    });
    await write(stream.resource(externalKey), {
      type: 'davit.resource.discovered',
      data: { externalKey, replicaId, adapter: 'skypilot', attempt, outcome: 'absent', detail: '' },
    });
  }
}
async function run(): Promise<void> {
  for (const loop of loops) void loop.start();
  for (let steps = 0; steps < 20; steps++) {
    await clock.advance(200);
    await answerAll();
  }
}

describe('what counts against budgets', () => {
  it('is read once while the log stands still, however many spend from them, and anew when it moves on', async () => {
    await limit({ maxTotal: '5', currency: 'USD', onExceed: 'refuse' });
    await declared('alpha', 1, { maxHourly: '5', currency: 'USD', onExceed: 'refuse' });
    const documents = await folded();
    let position = 7;
    const lists: string[] = [];
    const stored = (name: string) => {
      const document = documents.get(name);
      return document && { key: name.slice(name.indexOf(':') + 1), document, version: 1 };
    };
    const model = {
      position: () => Promise.resolve(position),
      get: (kind: string, key: string) => Promise.resolve(stored(`${kind}:${key}`)),
      list: (kind: string, group = '') => {
        lists.push(`${kind} ${group}`);
        return Promise.resolve([]);
      },
    } as unknown as ReadModel; // all of it that is read here
    const reader = new BudgetReader();
    const deployment = documents.get('deployment:default/alpha') as DeploymentState; // folded above
    const ask = async () => {
      lists.length = 0;
      await Promise.all([reader.accountsOf(model, deployment), reader.accountsOf(model, deployment)]);
      expect((await reader.accountsOf(model, deployment)).map(({ of }) => of)).toEqual(['deployment', 'tenant']);
      return [...lists].sort();
    };
    const all = [
      ...['deployment tenant:default', 'replica present:default/alpha', 'replica tenant:default'],
      ...['rollout rollouts:default/alpha', 'rollout tenant:default'],
    ];
    expect(await ask()).toEqual(all);
    expect(await ask()).toEqual([]);
    position += 1;
    expect(await ask()).toEqual(all);
  });
});

describe('a budget that is set while replicas are placed', () => {
  const budget: SpendLimits = { maxHourly: '3', currency: 'USD', onExceed: 'refuse' };

  it.each([
    ['of a deployment', () => declared('alpha', 2, budget)],
    ['of its tenant', () => limit(budget)],
  ])('%s holds for whatever is placed after it, also where the one who places has not heard of it', async (_, set) => {
    const [, late] = loops;
    void late?.start();
    await declared('alpha', 2);
    await clock.advance(1_000);
    await answerAll();
    // Heard only after the answers are, and written before anything is decided on them.
    await clock.advance(100);
    await set();
    expect(await ofType('davit.replica.placed')).toEqual([]);
    await clock.advance(10_000);
    expect(await ofType('davit.replica.placed')).toHaveLength(1);
    expect(await ofType('davit.replica.deferred')).not.toEqual([]);
  });
});

describe('the budget of a tenant', () => {
  it('has room for as many machines as fit, however many ask at once and whichever instance places them', async () => {
    await limit({ maxHourly: '5', currency: 'USD', onExceed: 'refuse' });
    for (const name of ['alpha', 'beta', 'gamma']) await declared(name, 2);
    await run();
    expect(await ofType('davit.replica.placed')).toHaveLength(2);
    const deferred = await ofType('davit.replica.deferred');
    expect(deferred.length).toBeGreaterThan(0);
    for (const { data } of deferred) expect(data.reason).toContain('tenant default');
  });

  it.each([
    ['nobody can decide where it goes', 'TypeError', () => null],
    // Decided on well enough, and refused by the log whenever it is written.
    ['what is decided of it cannot be written', 'InvalidEventError', unwritable],
  ])(
    'goes on to the next when of one whose turn it is %s: that one is quarantined alone',
    async (why, error, spoilt) => {
      const unreadable = 'default/alpha-1-0-1';
      spoil = (document) =>
        document && 'assessments' in document && document.id === unreadable
          ? { ...document, assessments: spoilt(document.assessments) as typeof document.assessments }
          : document;
      await limit({ maxHourly: '5', currency: 'USD', onExceed: 'refuse' });
      for (const name of ['alpha', 'beta', 'gamma']) await declared(name, 1);
      await run();
      const quarantined = await ofType('davit.replica.quarantined');
      expect(quarantined.map(({ data }) => [data.replicaId, data.reason, data.detail])).toEqual([
        [unreadable, why, expect.stringContaining(error)],
      ]);
      const placed = (await ofType('davit.replica.placed')).map(({ data }) => data.replicaId);
      expect(placed.sort()).toEqual(['default/beta-1-0-1', 'default/gamma-1-0-1']);
    },
  );

  it('is free to others while the deployment whose turn it is is paused, and then holds for that one too', async () => {
    await limit({ maxHourly: '5', currency: 'USD', onExceed: 'refuse' });
    for (const name of ['alpha', 'beta', 'gamma']) await declared(name, 1);
    for (const loop of loops) void loop.start();
    await clock.advance(200);
    const order = { intentId: INTENT, reason: 'a look' };
    await write(stream.deployment('default/alpha'), { type: 'davit.deployment.paused', data: order });
    await run();
    const placed = async () => (await ofType('davit.replica.placed')).map(({ data }) => data.replicaId).sort();
    expect(await placed()).toEqual(['default/beta-1-0-1', 'default/gamma-1-0-1']);
    await write(stream.deployment('default/alpha'), {
      type: 'davit.deployment.resumed',
      data: { intentId: INTENT },
    });
    await clock.advance(20_000);
    expect(await placed()).toHaveLength(2);
    expect((await ofType('davit.replica.deferred')).at(-1)?.data).toMatchObject({
      replicaId: 'default/alpha-1-0-1',
      waitsFor: 'budget',
    });
  });

  it('raises an alarm, and drains what came last, once a bill is above what was estimated', async () => {
    await limit({ maxHourly: '5', currency: 'USD', onExceed: 'drain' });
    for (const name of ['alpha', 'beta']) await declared(name, 1);
    await run();
    const placed = await ofType('davit.replica.placed');
    const keys = new Map((await ofType('davit.replica.requested')).map((event) => [event.data.replicaId, event.data]));
    for (const { data } of placed) {
      const { externalKey } = keys.get(data.replicaId) ?? { externalKey: '' };
      const owner = { externalKey, replicaId: data.replicaId, adapter: 'skypilot' };
      await write(stream.resource(externalKey), {
        type: 'davit.resource.launch-accepted',
        data: { ...owner, attempt: 1, handle: null, resolvedBy: 'reply' },
      });
      const sight = { phase: 'provisioning', url: null, providerId: 'x', class: null, detail: '' } as const;
      await write(stream.resource(externalKey), {
        type: 'davit.resource.observed',
        data: { ...owner, ...sight, price: price('3.00', 'billed') },
      });
      await clock.advance(1_000);
    }
    await clock.advance(61_000);
    const ended = (await ofType('davit.replica.delete-requested')).map(({ data }) => [data.replicaId, data.budget?.of]);
    expect(ended).toEqual([[placed.at(-1)?.data.replicaId, 'tenant']]);
    const alarms = (await ofType('davit.fleet.alarm-raised')).map(({ data }) => [data.alarm, data.about]);
    expect(alarms).toContainEqual(['budget-exceeded', 'default']);
    expect(alarms.filter(([alarm]) => alarm === 'price-deviation')).toHaveLength(2);
  });
});
