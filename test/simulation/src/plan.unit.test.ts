import { describe, expect, it } from '@jest/globals';
import { DEFAULT_CAPACITY_ADVISOR_SETTINGS, createAssessor } from '@davit/capacity-advisor';
import { type PlanView, planView } from '@davit/contracts';
import { lifecycleProjection } from '@davit/domain';
import { sequentialIds, silentLogger } from '@davit/ports';
import { LOCAL_PRINCIPAL, PlanController, Views } from '@davit/spec-api';
import { WORLD_HOSTS } from '@davit/world';
import { waitFor } from './main-job.js';
import { worldHttp } from './outside.js';
import { type Manifest, Simulation, type SpendCeilings } from './simulation.js';

const PLACEMENTS = [
  { cloud: 'runpod', accelerator: 'L40S:1' },
  { cloud: 'runpod', accelerator: 'A100-80GB:1' },
  { cloud: 'vast', accelerator: 'L40S:1' },
];

interface Wish {
  readonly selection?: 'ladder' | 'best';
  readonly spread?: 'none' | 'cloud';
  readonly budget?: SpendCeilings & { readonly currency: 'USD' };
}

const wishFor = ({ budget, ...compute }: Wish): Manifest => ({
  apiVersion: 'davit.dev/v1',
  kind: 'Deployment',
  metadata: { name: 'qwen' },
  spec: {
    model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen' },
    runtime: { engine: 'vllm', version: '0.27.1' },
    compute: { mode: 'elastic', placements: PLACEMENTS, ...compute },
    scaling: { replicas: 3 },
    ...(budget ? { budget } : {}),
  },
});

/** What `POST /v1/plan` answers, from the same log, documents and providers as the services of the run. */
async function planned(simulation: Simulation, wish: Manifest): Promise<PlanView> {
  const { clock, log, world } = simulation;
  const { keys } = world;
  const assessor = createAssessor({
    ...{ http: worldHttp(world, clock), clock, logger: silentLogger },
    settings: {
      ...DEFAULT_CAPACITY_ADVISOR_SETTINGS,
      runpod: {
        ...{ api: 'v2', baseUrl: WORLD_HOSTS.runpod, graphqlUrl: `${WORLD_HOSTS.runpod}/graphql` },
        apiKey: keys.runpod,
      },
      vast: { baseUrl: WORLD_HOSTS.vastConsole, apiKey: keys.vast },
    },
  });
  const controller = new PlanController({ ids: sequentialIds(9) }, async (placements, diskGiB = 0) => {
    const advice = await assessor.assess(placements.map((placement) => ({ placement, diskGiB })));
    return { signals: new Map(advice.map(({ signal }, rung) => [rung, signal])), missing: null };
  });
  const model = simulation.service('orchestrator').stores.store(lifecycleProjection);
  const asking = new Views({ log, model, clock }).asking(LOCAL_PRINCIPAL);
  let view: PlanView | undefined;
  const asked = controller.plan(asking, wish).then((answer) => (view = answer));
  await simulation.runUntil(() => Promise.resolve(view !== undefined), 60_000);
  return planView.parse(await asked);
}

type Outcome = { readonly rungs: readonly (number | null)[]; readonly hourly: readonly string[] };
const inOrder = (rungs: readonly (number | null)[]): readonly (number | null)[] =>
  rungs.toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity));

/** Where replicas go, and what each then costs. */
const promised = ({ placed, rungs }: PlanView): Outcome => {
  const each = inOrder(placed.flatMap(({ rung, replicas }) => Array.from({ length: replicas }, () => rung)));
  const priceOf = (rung: number | null): string[] => {
    const price = rungs.find((one) => one.rung === rung)?.price.price;
    return price ? [price.amount] : [];
  };
  return { rungs: each, hourly: each.flatMap(priceOf) };
};

/** The first decision on each replica, as the log has it. */
async function decided(simulation: Simulation): Promise<Outcome> {
  const found = new Map<string, { readonly rung: number | null; readonly hourly: readonly string[] }>();
  for (const event of await simulation.events()) {
    if (event.type !== 'davit.replica.placed' && event.type !== 'davit.replica.deferred') continue;
    const { replicaId } = event.data;
    if (found.has(replicaId)) continue;
    if (event.type === 'davit.replica.deferred') found.set(replicaId, { rung: null, hourly: [] });
    else {
      const { rung, price } = event.data;
      found.set(replicaId, { rung, hourly: price ? [price.amount] : [] });
    }
  }
  const all = [...found.values()].toSorted((a, b) => (a.rung ?? Infinity) - (b.rung ?? Infinity));
  return { rungs: all.map(({ rung }) => rung), hourly: all.flatMap(({ hourly }) => hourly) };
}

const budget = { maxHourly: '1.80', currency: 'USD', onExceed: 'refuse' } as const;

describe('a plan is what then happens', () => {
  it.each<[string, Wish, readonly string[], readonly (number | null)[]]>([
    ['on a ladder whose first rung has stock', {}, [], [0, 0, 0]],
    ['on a ladder whose first rung is empty', {}, ['L40S'], [1, 1, 1]],
    ['where everything is empty', {}, ['L40S', 'A100-80GB'], [null, null, null]],
    ['in a set that is ranked by cost', { selection: 'best' }, [], [0, 0, 0]],
    ['in a set that is spread over clouds', { selection: 'best', spread: 'cloud' }, [], [0, 0, 2]],
    ['under a budget that holds two of three', { budget }, [], [0, 0, null]],
  ])('%s', async (_what, wish, empty, rungs) => {
    const simulation = new Simulation({ seed: 3, watchMs: 0 });
    simulation.start();
    for (const cloud of ['runpod', 'vast'])
      for (const gpu of empty) simulation.world.stock.set({ cloud, gpu, free: 0 });
    const manifest = wishFor(wish);
    const before = await simulation.log.head();
    const plan = promised(await planned(simulation, manifest));
    expect(await simulation.log.head()).toBe(before);
    await simulation.apply(manifest);
    await waitFor(simulation, 'all are decided', async () => (await decided(simulation)).rungs.length === 3);
    expect(await decided(simulation)).toEqual(plan);
    expect(plan.rungs).toEqual(rungs);
  });
});
