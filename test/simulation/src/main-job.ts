import type { Manifest, Simulation } from './simulation.js';

export const KEY = 'default/qwen';

export function deployment(changes: { readonly replicas?: number; readonly maxModelLen?: string } = {}): Manifest {
  return {
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen' },
      runtime: { engine: 'vllm', version: '0.27.1', args: ['--max-model-len', changes.maxModelLen ?? '16384'] },
      compute: {
        mode: 'elastic',
        placements: [
          { cloud: 'runpod', accelerator: 'L40S:1' },
          { cloud: 'runpod', accelerator: 'A100-80GB:1' },
        ],
      },
      scaling: { replicas: changes.replicas ?? 2 },
    },
  };
}

const HOUR_MS = 3_600_000;

/** Thrown when a simulated system comes to rest somewhere it must not. */
export class StuckError extends Error {}

/** The main job on virtual time: up, heal, new revision, one more replica, down. */
export async function mainJob(simulation: Simulation): Promise<void> {
  await simulation.apply(deployment());
  await converged(simulation, 2);
  killOne(simulation);
  await converged(simulation, 2);
  await simulation.apply(deployment({ maxModelLen: '32768' }));
  await converged(simulation, 2, 2);
  await simulation.apply(deployment({ maxModelLen: '32768', replicas: 3 }));
  await converged(simulation, 3, 2);
  await simulation.remove(KEY);
  await waitFor(simulation, 'deleted', async () => (await simulation.deployment(KEY))?.status === 'deleted');
  await waitFor(simulation, 'caught up', () => simulation.caughtUp());
}

/** The oldest machine dies at the provider, unannounced. */
export function killOne(simulation: Simulation): void {
  const [victim] = simulation.world.cloud.running();
  if (victim) void simulation.world.cloud.end(victim, 'killed at the provider');
}

export async function converged(simulation: Simulation, replicas: number, revision = 1): Promise<void> {
  await waitFor(simulation, `${replicas} replicas of revision ${revision} serve and nothing else is left`, async () => {
    const state = await simulation.deployment(KEY);
    const route = await simulation.route(KEY);
    return (
      state?.activeRevision === revision &&
      state.revision === revision &&
      state.spec.spec.scaling.replicas === replicas &&
      state.conditions['Progressing']?.reason === 'Converged' &&
      route?.targets.length === replicas &&
      simulation.world.cloud.running().length === replicas
    );
  });
}

export async function waitFor(simulation: Simulation, what: string, done: () => Promise<boolean>): Promise<void> {
  if (await simulation.runUntilState(done, 2 * HOUR_MS)) return;
  const state = await simulation.deployment(KEY);
  throw new StuckError(`never came true in two hours: ${what}; conditions ${JSON.stringify(state?.conditions)}`);
}
