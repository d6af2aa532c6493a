import { describe, expect, it } from '@jest/globals';
import { type ReplayView, replayPolicy, replayView } from '@davit/contracts';
import { lifecycleProjection } from '@davit/domain';
import { LOCAL_PRINCIPAL, Views, replaySpan } from '@davit/spec-api';
import { KEY, converged } from './main-job.js';
import { type Manifest, Simulation } from './simulation.js';

/** The dear card first, so that a ladder takes it and a set ranked by cost does not. */
const wish = (): Manifest => ({
  apiVersion: 'davit.dev/v1',
  kind: 'Deployment',
  metadata: { name: 'qwen' },
  spec: {
    model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen' },
    runtime: { engine: 'vllm', version: '0.27.1' },
    compute: {
      mode: 'elastic',
      placements: [
        { cloud: 'runpod', accelerator: 'A100-80GB:1' },
        { cloud: 'runpod', accelerator: 'L40S:1' },
      ],
    },
    scaling: { replicas: 2 },
  },
});

/** The whole log of a run, replayed under what a user writes as a policy. */
async function replayed(
  simulation: Simulation,
  policy: unknown,
  deployment: string | null = null,
): Promise<ReplayView> {
  const { log, clock } = simulation;
  const model = simulation.service('orchestrator').stores.store(lifecycleProjection);
  const asking = new Views({ log, model, clock }).asking(LOCAL_PRINCIPAL);
  const [from, to] = [await asking.at('1', 'from'), await asking.latest()];
  const view = await replaySpan(from, to, simulation.evidence, { policy: replayPolicy.parse(policy), deployment });
  return replayView.parse(view);
}

const outcomesOf = ({ differences }: ReplayView): readonly (readonly [string, string])[] =>
  differences.map(({ was, would }) => [was.outcome, would.outcome]);

describe('choices of a place, taken again', () => {
  it('go elsewhere under another policy, each with its evidence and what it passed over; nothing is changed', async () => {
    const simulation = new Simulation({ seed: 3 });
    simulation.start();
    await simulation.apply(wish());
    await converged(simulation, 2);
    const before = await simulation.log.head();

    const same = await replayed(simulation, {});
    expect(same).toMatchObject({ compared: 2, differing: 0, differences: [], notJudged: [] });
    expect(await replayed(simulation, { placement: { selection: 'ladder' } })).toMatchObject({ differing: 0 });

    const cheap = await replayed(simulation, { placement: { objective: 'cost' } });
    expect(outcomesOf(cheap)).toEqual([
      ['placed on runpod A100-80GB:1', 'placed on runpod L40S:1'],
      ['placed on runpod A100-80GB:1', 'placed on runpod L40S:1'],
    ]);
    const events = await simulation.events();
    for (const { position, at, type, evidence, alternatives } of cheap.differences) {
      expect(events[position - 1]).toMatchObject({ type, time: at });
      expect(evidence.map(({ name }) => name)).toEqual(expect.arrayContaining(['stock', 'price']));
      expect(alternatives).toMatchObject([{ outcome: 'placed on runpod A100-80GB:1' }]);
    }

    const limits = { currency: 'USD', onExceed: 'refuse' };
    const poor = await replayed(simulation, { budget: { ...limits, maxHourly: '0.10' } });
    expect(outcomesOf(poor).map(([, would]) => would)).toEqual(['waits', 'waits']);
    const shared = await replayed(simulation, { tenantBudget: { ...limits, maxHourly: '2.00' } });
    // One of the dear ones fits, and one of the others beside it does not.
    expect(outcomesOf(shared).map(([, would]) => would)).toEqual(['waits']);

    expect(await replayed(simulation, { placement: { objective: 'cost' } }, 'default/other')).toMatchObject({
      compared: 0,
    });
    expect(await replayed(simulation, { placement: { objective: 'cost' } }, KEY)).toMatchObject({ differing: 2 });
    expect(await simulation.log.head()).toBe(before);
  });
});
