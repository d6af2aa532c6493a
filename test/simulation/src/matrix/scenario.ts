import { externalKeyPrefix } from '@davit/domain';
import { skyUserIdOf } from '@davit/skypilot-agent';
import { type FaultRule, MODEL_SERVER_DEFAULTS, type Machine, type ModelFault, type World } from '@davit/world';
import { INSTALLATION, type ServiceSettings } from '../services.js';
import type { SimulationOptions } from '../simulation.js';
import { KEY, type Stage } from './stage.js';

/** A workflow from its beginning to its end: whatever befalls it on the way, it ends with nothing left. */
export interface Scenario {
  readonly name: string;
  /** How services are set up for it, where that differs. */
  readonly settings?: ServiceSettings & Pick<SimulationOptions, 'timings'>;
  /** @param isStruck something may befall it, so that it may come to another of its ends */
  play(stage: Stage, isStruck: boolean): Promise<void>;
}

/** Begins as the first part says, and ends in a deletion. */
const scenario = (name: string, play: (stage: Stage) => Promise<void>, settings: ServiceSettings = {}): Scenario => ({
  name,
  settings,
  play: async (stage) => {
    await play(stage);
    await stage.remove();
    await stage.gone();
  },
});

const LAUNCH = { service: 'sky', verb: 'launch' } as const;
const DOWN = { service: 'sky', verb: 'down' } as const;

/** One replica comes up although its first launch, or what came of it, met this. */
const launchMeets = (name: string, rule: FaultRule): Scenario =>
  scenario(name, async (stage) => {
    stage.world.faults.add(rule);
    await stage.apply({ startDeadline: '3m' });
    await stage.converged(1);
  });

/** A replica that serves is replaced when its server shows this. */
const serverShows = (fault: ModelFault): Scenario =>
  scenario(`a server that serves and then is ${fault.kind} is replaced`, async (stage) => {
    await stage.apply();
    await stage.converged(1);
    const [machine] = stage.world.cloud.running();
    if (machine) stage.world.cloud.setFault(machine, fault);
    await stage.said('davit.replica.failed');
    await stage.converged(1);
  });

const deletionMeets = (name: string, rule: FaultRule): Scenario =>
  scenario(name, async (stage) => {
    await stage.apply();
    await stage.converged(1);
    stage.world.faults.add(rule);
  });

/** A machine under a name of this installation that no log knows. */
async function orphan({ world }: Stage): Promise<Machine> {
  const key = `${externalKeyPrefix(INSTALLATION)}${'a'.repeat(17)}`;
  const name = `${key}-${skyUserIdOf(INSTALLATION)}-head`;
  return rent(world, { name, owner: `sky:${key}` });
}

async function rent(world: World, named: { readonly name: string; readonly owner: string }): Promise<Machine> {
  const outcome = await world.cloud.create({
    ...named,
    cloud: 'runpod',
    accelerator: 'L40S',
    gpuCount: 1,
    image: null,
  });
  if (outcome.kind !== 'created') throw new Error('the world has no machine left');
  world.cloud.boot(outcome.machine);
  return outcome.machine;
}

/** A model server that somebody else runs; its address. */
async function foreignServer({ world }: Stage): Promise<string> {
  const machine = await rent(world, { name: 'theirs', owner: 'somebody' });
  world.cloud.startServer(machine, {
    ...MODEL_SERVER_DEFAULTS,
    servedModelNames: ['qwen'],
    root: 'Qwen/Qwen3-8B',
    apiKey: null,
    loadMs: 0,
  });
  return `http://${machine.address.host}:${machine.address.port}`;
}

const revised = (strategy: 'surge' | 'in-place'): Scenario =>
  scenario(`a new revision, ${strategy}`, async (stage) => {
    await stage.apply({ strategy });
    await stage.converged(1);
    await stage.apply({ strategy, maxModelLen: '32768' });
    await stage.converged(1, 2);
  });

export const SCENARIOS: readonly Scenario[] = [
  scenario('converge and delete', async (stage) => {
    await stage.apply();
    await stage.converged(1);
  }),
  scenario('two replicas at once', async (stage) => {
    await stage.apply({ replicas: 2 });
    await stage.converged(2);
  }),
  scenario('a machine that dies is replaced', async (stage) => {
    await stage.apply();
    await stage.converged(1);
    const [machine] = stage.world.cloud.running();
    if (machine) await stage.world.cloud.end(machine, 'killed at the provider');
    await stage.converged(1);
  }),
  serverShows({ kind: 'scaling' }),
  serverShows({ kind: 'crash' }),
  launchMeets('a launch without capacity, then the next rung', {
    ...LAUNCH,
    effect: { kind: 'launch-fails', reason: 'no-capacity' },
  }),
  launchMeets('a launch that is refused', { ...LAUNCH, effect: { kind: 'refusal', reason: 'unreachable' } }),
  launchMeets('a launch whose answer is lost', { ...LAUNCH, effect: { kind: 'lost-reply' } }),
  launchMeets('a launch that never arrives', { ...LAUNCH, effect: { kind: 'lost-request' } }),
  launchMeets('a launch that stands still until its deadline', {
    ...LAUNCH,
    effect: { kind: 'launch-fails', reason: 'stuck' },
  }),
  launchMeets('a launch whose image is missing', {
    ...LAUNCH,
    effect: { kind: 'launch-fails', reason: 'image-missing' },
  }),
  launchMeets('a launch that leads to no address', { ...LAUNCH, effect: { kind: 'endpoint-never' } }),
  launchMeets('a launch whose row is lost', { ...LAUNCH, effect: { kind: 'row-lost' } }),
  launchMeets('a launch that is shown late', { ...LAUNCH, effect: { kind: 'late-visibility', ms: 4_000 } }),
  launchMeets('a server of another model', {
    ...LAUNCH,
    effect: { kind: 'server-fault', fault: { kind: 'wrong-model', model: 'somebody/else' } },
  }),
  launchMeets('stock that cannot be asked', {
    service: 'runpod',
    verb: 'GET /v2/catalog*',
    count: 2,
    effect: { kind: 'status', status: 503 },
  }),
  launchMeets('rows that cannot be read', {
    service: 'sky',
    verb: 'status*',
    nth: 4,
    effect: { kind: 'malformed', how: 'truncate' },
  }),
  scenario('no stock, then stock', async (stage) => {
    for (const gpu of ['L40S', 'A100-80GB']) stage.world.stock.set({ gpu, free: 0 });
    await stage.apply();
    await stage.said('davit.replica.deferred');
    for (const gpu of ['L40S', 'A100-80GB']) stage.world.stock.set({ gpu, free: 10 });
    await stage.converged(1);
  }),
  scenario(
    'stock and prices asked by GraphQL',
    async (stage) => {
      await stage.apply();
      await stage.converged(1);
    },
    { stockApi: 'graphql' },
  ),
  scenario('a machine of the marketplace, without stock elsewhere', async (stage) => {
    stage.world.stock.set({ gpu: 'L40S', free: 0 });
    const placements = ['runpod', 'vast'].map((cloud) => ({ cloud, accelerator: 'L40S:1' }));
    await stage.apply({ compute: { mode: 'elastic', placements } });
    await stage.converged(1);
  }),
  scenario('a budget of the tenant that ends one of two, and is taken away', async (stage) => {
    await stage.apply({ replicas: 2 });
    await stage.converged(2);
    await stage.setBudget({ maxHourly: '1.00', onExceed: 'drain' });
    await stage.said('davit.replica.deleted');
    await stage.setBudget(null);
    await stage.converged(2);
  }),
  scenario('offers whose stock is sampled', async (stage) => {
    await stage.apply();
    await stage.converged(1);
    await stage.said('davit.capacity.sampled', 2);
  }),
  revised('surge'),
  revised('in-place'),
  scenario('a revision that a newer one overtakes', async (stage) => {
    await stage.apply();
    await stage.converged(1);
    await stage.apply({ maxModelLen: '32768' });
    await stage.wait(1_000);
    await stage.apply({ maxModelLen: '8192' });
    await stage.converged(1, 3);
  }),
  scenario('one, two, one, two replicas', async (stage) => {
    await stage.apply();
    await stage.converged(1);
    await stage.apply({ replicas: 2 });
    await stage.converged(2);
    await stage.apply({ replicas: 1 });
    await stage.converged(1);
    await stage.apply({ replicas: 2 });
    await stage.converged(2);
  }),
  scenario('deleted while it is launched', async (stage) => {
    await stage.apply();
    await stage.said('davit.resource.launch-attempted');
  }),
  scenario('applied again while it is deleted', async (stage) => {
    await stage.apply();
    await stage.converged(1);
    await stage.remove();
    await stage.said('davit.replica.delete-requested');
    await stage.tryApply({ maxModelLen: '32768' });
    await stage.wait(60_000);
  }),
  scenario('a rollout that is cancelled', async (stage) => {
    await stage.apply();
    await stage.converged(1);
    await stage.apply({ maxModelLen: '32768' });
    await stage.said('davit.replica.requested', 2);
    await stage.cancel();
    await stage.until('one revision is left', async () => {
      const state = await stage.simulation.deployment(KEY);
      return state !== undefined && state.activeRevision === state.revision;
    });
  }),
  scenario('a wish that is refused', async (stage) => {
    await stage.apply();
    await stage.tryApply({ replicas: -1 });
    await stage.converged(1);
  }),
  scenario('a machine that dies while its deployment is paused is replaced when that is resumed', async (stage) => {
    await stage.apply();
    await stage.converged(1);
    await stage.pause();
    for (const machine of stage.world.cloud.running()) await stage.world.cloud.end(machine, 'killed at the provider');
    await stage.said('davit.runtime.became-unready');
    await stage.resume();
    await stage.converged(1);
  }),
  scenario('a start that is given up, and tried again on an order', async (stage) => {
    stage.world.faults.add({ ...LAUNCH, effect: { kind: 'endpoint-never' } });
    await stage.apply({ startDeadline: '1m', maxFailedStarts: 1 });
    await stage.said('davit.replica.failed');
    await stage.said('davit.fleet.alarm-raised');
    await stage.retry();
    await stage.converged(1);
    await stage.said('davit.fleet.alarm-cleared');
  }),
  scenario('a start that moves when its deadline passes', async (stage) => {
    stage.world.faults.add({ ...LAUNCH, effect: { kind: 'late-visibility', ms: 58_900 } });
    await stage.apply({ startDeadline: '1m' });
    await stage.converged(1);
  }),
  scenario('a launch that stands still for so long that it is asked why', async (stage) => {
    stage.world.faults.add({ ...LAUNCH, effect: { kind: 'launch-fails', reason: 'stuck' } });
    await stage.apply({ startDeadline: '5m' });
    await stage.converged(1);
  }),
  scenario('a start whose server never gets well', async (stage) => {
    stage.world.faults.add({ ...LAUNCH, effect: { kind: 'server-fault', fault: { kind: 'scaling' } } });
    await stage.apply({ startDeadline: '5m' });
    await stage.converged(1);
  }),
  scenario('too many deaths at once, and somebody who says that they are real', async (stage) => {
    await stage.apply({ replicas: 4 });
    await stage.converged(4);
    for (const machine of stage.world.cloud.running()) await stage.world.cloud.end(machine, 'the region is dark');
    await stage.said('davit.fleet.frozen');
    await stage.thaw();
    await stage.converged(4);
  }),
  scenario('an endpoint that is adopted and let go', async (stage) => {
    const url = await foreignServer(stage);
    // Whoever started it gave it the context that model servers have unless told otherwise.
    await stage.apply({ compute: { mode: 'direct', endpoints: [url] }, maxModelLen: '8192' });
    await stage.converged(1, 1, 0);
  }),
  scenario('a machine that nobody asked for, which somebody lets go', async (stage) => {
    await stage.apply();
    await stage.converged(1);
    const machine = await orphan(stage);
    await stage.said('davit.resource.orphan-found');
    await stage.reap(await stage.orphanKey());
    await stage.until('it is ended', () => machine.phase === 'ended');
  }),
  scenario('a machine that nobody asked for, which goes by itself', async (stage) => {
    await stage.apply();
    await stage.converged(1);
    const machine = await orphan(stage);
    await stage.said('davit.resource.orphan-found');
    await stage.world.cloud.end(machine, 'ended by hand');
    await stage.said('davit.resource.orphan-cleared');
  }),
  deletionMeets('a deletion whose answer is lost', { ...DOWN, effect: { kind: 'lost-reply' } }),
  deletionMeets('a deletion that is refused', { ...DOWN, effect: { kind: 'refusal', reason: 'permission' } }),
  deletionMeets('a deletion that lies', { ...DOWN, effect: { kind: 'down-lies' } }),
  deletionMeets('a deletion that leaves the machine', { ...DOWN, effect: { kind: 'row-removed-machine-stays' } }),
];
