import { describe, expect, it } from '@jest/globals';
import { type ReplicaState, lifecycleProjection } from '@davit/domain';
import { DEFAULT_PROBER_SETTINGS } from '@davit/runtime-prober';
import { Explainer } from '@davit/spec-api';
import type { ModelFault } from '@davit/world';
import { KEY, converged, deployment, waitFor } from './main-job.js';
import { Simulation } from './simulation.js';

const { hangMs, loadReadMs, steadyProbeMs, inferenceTimeoutMs, checkTimeoutMs } = DEFAULT_PROBER_SETTINGS;
/** Two readings apart by the limit, the inference that fails, and what lies between two looks. */
const HANG_BOUND_MS = hangMs + 2 * (loadReadMs + steadyProbeMs) + inferenceTimeoutMs + checkTimeoutMs;
/** Two looks at the metrics, and what lies between. */
const ASLEEP_BOUND_MS = 3 * (loadReadMs + steadyProbeMs) + inferenceTimeoutMs;

async function serving(): Promise<{ readonly simulation: Simulation; readonly replica: string; readonly url: string }> {
  const simulation = new Simulation({ seed: 21 });
  simulation.start();
  await simulation.apply(deployment({ replicas: 1 }));
  await converged(simulation, 1);
  const target = (await simulation.route(KEY))?.targets[0];
  if (!target) throw new Error('no route');
  return { simulation, replica: target.replica, url: target.url };
}

function hurt({ world }: Simulation, fault: ModelFault): void {
  const [machine] = world.cloud.running();
  if (!machine || !world.cloud.setFault(machine, fault)) throw new Error('no server to hurt');
}

/** Somebody asks, and may wait for ever. */
const ask = ({ world }: Simulation, url: string): void =>
  void world.handleHttp({
    method: 'POST',
    url: `${url}/v1/chat/completions`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'qwen', messages: [{ role: 'user', content: 'hello' }], max_tokens: 5 }),
  });

/** When its route was withdrawn, in milliseconds from now on. */
async function withdrawnAfterMs(simulation: Simulation, replica: string): Promise<number> {
  const beganMs = simulation.clock.nowMs();
  await waitFor(simulation, 'the route is gone', async () => {
    return !((await simulation.route(KEY))?.targets ?? []).some((target) => target.replica === replica);
  });
  return simulation.clock.nowMs() - beganMs;
}

describe('a model server that does not do what its health check says', () => {
  it('a hung engine with health 200 loses its route within the bound, and both sources are cited', async () => {
    const { simulation, replica, url } = await serving();
    hurt(simulation, { kind: 'hang' });
    for (let request = 0; request < 3; request++) ask(simulation, url);
    expect(await withdrawnAfterMs(simulation, replica)).toBeLessThanOrEqual(HANG_BOUND_MS);

    const model = simulation.service('orchestrator').stores.store(lifecycleProjection);
    expect((await model.get<ReplicaState>('replica', replica))?.document.runtime).toMatchObject({ reason: 'hung' });
    const story = await new Explainer({ log: simulation.log, model }).replica(replica, { after: 0, limit: 1_000 });
    const signals = story?.lines.flatMap((line) => line.signals) ?? [];
    const said = (source: string) => signals.filter((signal) => signal.source === source).map((signal) => signal.said);
    expect(said('health')).toEqual([expect.stringMatching(/^\/health answered 200 in \d+ ms$/)]);
    expect(said('metrics')).toEqual([expect.stringMatching(/3 requests running, 0 waiting, .* frozen for \d+ s/)]);
    expect(said('inference')).toEqual([expect.stringMatching(/no answer/)]);
    await converged(simulation, 1);
    expect(await simulation.violations(false)).toEqual([]);
  });

  it('one that sleeps loses its route although it is healthy and lists its model', async () => {
    const { simulation, replica } = await serving();
    hurt(simulation, { kind: 'sleeping', level: 1 });
    expect(await withdrawnAfterMs(simulation, replica)).toBeLessThanOrEqual(ASLEEP_BOUND_MS);
    expect((await simulation.events()).findLast(({ type }) => type === 'davit.runtime.became-unready')).toMatchObject({
      data: { reason: 'asleep' },
    });
    await converged(simulation, 1);
    expect(await simulation.violations(false)).toEqual([]);
  });

  it('one whose health check is slow while it works keeps its route', async () => {
    const { simulation, replica, url } = await serving();
    hurt(simulation, { kind: 'slow-health', ms: checkTimeoutMs + 1_000 });
    for (let second = 0; second < 180; second++) {
      ask(simulation, url);
      await simulation.clock.advance(1_000);
    }
    expect((await simulation.route(KEY))?.targets).toMatchObject([{ replica }]);
    expect((await simulation.events()).map(({ type }) => type)).not.toContain('davit.runtime.became-unready');
  });
});
