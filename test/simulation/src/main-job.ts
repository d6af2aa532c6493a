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
  await persisted(simulation, 2);
  killOne(simulation);
  await persisted(simulation, 2);
  await simulation.apply(deployment({ maxModelLen: '32768' }));
  await persisted(simulation, 2, 2);
  await simulation.apply(deployment({ maxModelLen: '32768', replicas: 3 }));
  await persisted(simulation, 3, 2);
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
  await waitFor(simulation, restOf(replicas, revision), () => isConverged(simulation, replicas, revision));
}

const MOST_RETRIES = 20;

/** The same for somebody who asks again when faults have ended so many starts in a row that no further one is paid for. */
async function persisted(simulation: Simulation, replicas: number, revision = 1): Promise<void> {
  for (let retries = 0; retries <= MOST_RETRIES; retries++) {
    const rest = restOf(replicas, revision);
    await waitFor(
      simulation,
      rest,
      async () => (await isGivenUp(simulation)) || (await isConverged(simulation, replicas, revision)),
    );
    if (!(await isGivenUp(simulation))) return;
    await simulation.retry(KEY);
    await waitFor(simulation, 'the starts are counted anew', async () => !(await isGivenUp(simulation)));
  }
  throw new StuckError(`given up again after ${MOST_RETRIES} retries`);
}

const restOf = (replicas: number, revision: number): string =>
  `${replicas} replicas of revision ${revision} serve and nothing else is left`;

async function isGivenUp(simulation: Simulation): Promise<boolean> {
  return (await simulation.deployment(KEY))?.conditions['Progressing']?.reason === 'GivenUp';
}

async function isConverged(simulation: Simulation, replicas: number, revision: number): Promise<boolean> {
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
}

export async function waitFor(simulation: Simulation, what: string, done: () => Promise<boolean>): Promise<void> {
  if (await simulation.runUntilState(done, 2 * HOUR_MS)) return;
  const state = await simulation.deployment(KEY);
  throw new StuckError(`never came true in two hours: ${what}; conditions ${JSON.stringify(state?.conditions)}`);
}
