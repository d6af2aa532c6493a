import { describe, expect, it } from '@jest/globals';
import { type ExplainView, type RecordedEvent, explainView } from '@davit/contracts';
import { type ReplicaState, lifecycleProjection } from '@davit/domain';
import { Explainer, explainBudget, explainCost, explainRoute, explainWait } from '@davit/spec-api';
import { KEY, converged, deployment, mainJob, waitFor } from './main-job.js';
import { Simulation } from './simulation.js';

const ALL = { after: 0, limit: 1_000 };

function storyteller(simulation: Simulation) {
  const model = simulation.service('orchestrator').stores.store(lifecycleProjection);
  const explainer = new Explainer({ log: simulation.log, model });
  const replica = async (id: string): Promise<ExplainView> => {
    const view = await explainer.replica(id, ALL);
    expect(explainView.parse(view)).toEqual(view);
    if (!view) throw new Error(`no story of ${id}`);
    return view;
  };
  const ids = async (): Promise<readonly string[]> => (await model.list<ReplicaState>('replica')).map(({ key }) => key);
  return { explainer, replica, ids };
}

/** What stories of other things are told from, as of now. */
const tellerOf = (simulation: Simulation) => () => ({
  log: simulation.log,
  model: simulation.service('orchestrator').stores.store(lifecycleProjection),
  nowMs: simulation.clock.nowMs(),
});

/** Every line stands where it says, when it says, and in the order of the log. */
function cites({ lines }: ExplainView, events: readonly RecordedEvent[]): void {
  const positions = lines.map(({ position }) => position);
  expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
  expect(lines.map(({ at }) => at)).toEqual(positions.map((position) => events[position - 1]?.time));
}

describe('the story of a replica', () => {
  it('law-15: reaches the wish of the user without a gap, whatever became of the replica', async () => {
    const simulation = new Simulation({ seed: 1 });
    simulation.start();
    await mainJob(simulation);
    const { replica, ids } = storyteller(simulation);
    const events = await simulation.events();
    const all = await ids();
    expect(all.length).toBeGreaterThan(4);
    for (const id of all) {
      const view = await replica(id);
      expect({ id, gaps: view.gaps, complete: view.complete }).toEqual({ id, gaps: [], complete: true });
      cites(view, events);
      const own = view.lines.filter((line) => line.replica === id || line.replica === null).map(({ topic }) => topic);
      expect(own.slice(0, 3)).toEqual(['intent', 'intent', 'declaration']);
      for (const topic of ['request', 'discovery', 'placement', 'launch', 'ready', 'route', 'deletion'])
        expect({ id, own }).toMatchObject({ own: expect.arrayContaining([topic]) });
      expect(view.lines.at(-1)?.text).toBe('over: proven gone');
    }
  });

  it('law-15: so does that of each route, wait and cost, and of the budget', async () => {
    const simulation = new Simulation({ seed: 2 });
    simulation.start();
    await simulation.setBudget('default', { maxHourly: '100', onExceed: 'refuse' });
    const route: (ExplainView | undefined)[] = [];
    const told = tellerOf(simulation);
    await simulation.apply(deployment({ replicas: 2 }));
    await converged(simulation, 2);
    route.push(await explainRoute(told(), KEY, ALL));
    await simulation.remove(KEY);
    await waitFor(simulation, 'deleted', async () => (await simulation.deployment(KEY))?.status === 'deleted');
    const events = await simulation.events();
    const { ids } = storyteller(simulation);
    const waits = await Promise.all((await ids()).map((id) => explainWait(told(), id, ALL)));
    const cost = await explainCost(told(), KEY, ALL);
    const budget = await explainBudget(told(), 'default', ALL);
    for (const view of [...route, ...waits, cost, budget]) {
      expect(explainView.parse(view)).toEqual(view);
      expect(view).toMatchObject({ complete: true, gaps: [] });
      if (view) cites(view, events);
      expect(view?.lines.map(({ topic }) => topic)).toEqual(expect.arrayContaining(['intent']));
    }
    expect(route[0]?.now).toMatch(/^leads to 2 replicas/);
    expect(route[0]?.lines.filter(({ topic }) => topic === 'runtime').length).toBeGreaterThanOrEqual(4);
    expect(waits.map((view) => view?.now)).toEqual(
      waits.map(() => expect.stringMatching(/^waits for nothing; deleted/)),
    );
    const prices = cost?.lines.filter(({ topic }) => topic === 'cost').map(({ text }) => text) ?? [];
    expect(prices.filter((text) => /the machine costs [\d.]+ USD an hour/.test(text)).length).toBeGreaterThanOrEqual(2);
    expect(prices.filter((text) => text.endsWith('it counts as billing no more'))).toHaveLength(2);
    expect(cost?.now).toMatch(/^at most [\d.]+ USD since the beginning, on 2 machines.*nothing bills now$/);
    expect(budget?.now).toMatch(/^within: /);
  });

  it('tells the wait for stock once, the life before, the rung that refused and the one that was taken instead', async () => {
    const simulation = new Simulation({ seed: 5 });
    simulation.start();
    for (const gpu of ['L40S', 'A100-80GB']) simulation.world.stock.set({ gpu, free: 0 });
    await simulation.apply(deployment({ replicas: 1 }));
    const { replica, ids } = storyteller(simulation);
    const waits = async (): Promise<number> =>
      (await simulation.events()).filter(({ type }) => type === 'davit.replica.deferred').length;
    await waitFor(simulation, 'several looks', async () => (await waits()) >= 4);
    // The signal says that there is stock, and the launch finds out that it lied.
    simulation.world.stock.set({ gpu: 'L40S', free: 0, shownLevel: 'HIGH' });
    const second = `${KEY}-1-0-2`;
    await waitFor(simulation, 'a second life', async () => (await ids()).includes(second));
    simulation.world.stock.set({ gpu: 'A100-80GB', free: 10 });
    await converged(simulation, 1);
    const [last = ''] = (await ids()).slice(-1);
    const view = await replica(last);
    cites(view, await simulation.events());
    expect(view).toMatchObject({ complete: true, gaps: [] });
    expect(view.predecessors).toContain(`${KEY}-1-0-1`);
    const refused = view.lines.find(({ topic }) => topic === 'failure');
    expect(refused?.text).toMatch(/given up \(capacity\).*on runpod L40S:1/);
    const taken = view.lines.findLast(({ topic }) => topic === 'placement');
    expect(taken?.text).toContain('placed on rung 1: runpod A100-80GB:1');
    expect(taken?.candidates.map(({ verdict }) => verdict)).toEqual(['rejected', 'chosen']);
    expect(taken?.candidates[0]?.reason).toMatch(/refused/);
    expect(taken?.candidates.every(({ ageMs }) => ageMs !== null)).toBe(true);

    const first = await replica(`${KEY}-1-0-1`);
    const waiting = first.lines.filter(({ topic }) => topic === 'wait');
    expect(waiting).toHaveLength(1);
    expect(waiting[0]?.text).toMatch(/looked again \d+ times?, to the same end, the last at position \d+/);
  });

  it('is told in pages that follow each other without a line twice or missing', async () => {
    const simulation = new Simulation({ seed: 1 });
    simulation.start();
    await simulation.apply(deployment({ replicas: 1 }));
    await converged(simulation, 1);
    const { explainer } = storyteller(simulation);
    const whole = await explainer.deployment(KEY, ALL);
    const pages: ExplainView['lines'] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: ExplainView | undefined = await explainer.deployment(KEY, { after, limit: 3 });
      pages.push(...(page?.lines ?? []));
      after = page?.next ?? null;
    }
    expect(pages).toEqual(whole?.lines);
    expect(pages.length).toBeGreaterThan(3);
    expect(whole?.now).toMatch(/^active: 1 of 1 replica serves/);
  });

  it('is none for a name that nobody asked for', async () => {
    const simulation = new Simulation({ seed: 1 });
    const { explainer } = storyteller(simulation);
    expect(await explainer.replica('default/none-1-0-1', ALL)).toBeUndefined();
    expect(await explainer.replica('nonsense', ALL)).toBeUndefined();
    expect(await explainer.deployment('a/b/c', ALL)).toBeUndefined();
  });
});
