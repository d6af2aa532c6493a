import { type Random, jitter } from '@davit/ports';
import type { ModelFault } from '@davit/world';
import { pick } from './chaos.js';
import { waitFor } from './main-job.js';
import type { Manifest, Simulation } from './simulation.js';

const MODEL_FAULTS: readonly ModelFault[] = [
  { kind: 'hang' },
  { kind: 'dead-engine' },
  { kind: 'wrong-model', model: 'somebody/else' },
  { kind: 'crash' },
  { kind: 'placeholder' },
  { kind: 'scaling' },
  { kind: 'completions-fail' },
  { kind: 'slow-health', ms: 20_000 },
];
const GPUS = ['L40S', 'A100-80GB'] as const;
/** The second shares its alias with the first. */
const NAMES = ['qwen', 'qwen-canary', 'llama'] as const;
const ENOUGH = 50;

/** Somebody who cannot make up their mind, at providers that fail them: any order of wishes must come to rest as last asked. */
export async function randomUser(simulation: Simulation, random: Random, actions: number): Promise<void> {
  const act: readonly (() => unknown)[] = [
    () => simulation.apply(randomManifest(random, pick(random, NAMES))),
    () => simulation.apply(randomManifest(random, pick(random, NAMES))),
    () => simulation.remove(`default/${pick(random, NAMES)}`),
    () => simulation.scale(`default/${pick(random, NAMES)}`, randomCount(random)),
    () => simulation.pause(`default/${pick(random, NAMES)}`),
    () => simulation.resume(`default/${pick(random, NAMES)}`),
    () => endMachine(simulation, random),
    () => hurtServer(simulation, random),
    () => simulation.world.stock.set({ gpu: pick(random, GPUS), free: Math.floor(random.next() * 3) }),
  ];
  await simulation.apply(randomManifest(random, NAMES[0]));
  for (let done = 0; done < actions; done++) {
    await simulation.clock.advance(random.next() < 0.3 ? 50 : jitter(random, 25_000, 1));
    await pick(random, act)();
  }
}

/** Whatever was asked for last comes true once the outside behaves, and then nothing is left of it. */
export async function comesToRest(simulation: Simulation, random: Random): Promise<void> {
  for (const gpu of GPUS) simulation.world.stock.set({ gpu, free: ENOUGH });
  const wanted = NAMES.map((name) => ({ name, replicas: randomCount(random) }));
  for (const { name, replicas } of wanted) {
    await simulation.apply(randomManifest(random, name, replicas));
    await simulation.resume(`default/${name}`);
  }
  for (const { name, replicas } of wanted)
    await waitFor(simulation, `${name} is as declared`, () => isConverged(simulation, name, replicas));
  for (const name of NAMES) await simulation.remove(`default/${name}`);
  for (const name of NAMES) {
    await waitFor(simulation, `${name} is deleted`, async () => {
      return (await simulation.deployment(`default/${name}`))?.status === 'deleted';
    });
  }
  await waitFor(simulation, 'caught up', () => simulation.caughtUp());
}

async function isConverged(simulation: Simulation, name: string, replicas: number): Promise<boolean> {
  const key = `default/${name}`;
  const state = await simulation.deployment(key);
  if (state?.activeRevision !== state?.revision || state?.conditions['Progressing']?.reason !== 'Converged')
    return false;
  const route = await simulation.route(`default/${state.spec.spec.model.servedName}`);
  return (route?.targets ?? []).filter(({ deployment }) => deployment === key).length === replicas;
}

/** Two machines that were ever up at the same time under one name. An endpoint at Vast has as many workers as it may. */
export function doubledMachines(simulation: Simulation): readonly string[] {
  const machines = simulation.world.ledger.report().machines.filter(({ owner }) => !owner.startsWith('vast:'));
  return machines.flatMap(({ id, owner, createdAtMs }) =>
    machines
      .filter((other) => other.owner === owner && other.id !== id && other.createdAtMs <= createdAtMs)
      .filter(({ endedAtMs }) => endedAtMs === null || endedAtMs > createdAtMs)
      .map((other) => `${owner} has two machines at once: ${other.id} and ${id}`),
  );
}

const randomCount = (random: Random): number => Math.floor(random.next() * 4);

function randomManifest(random: Random, name: string, replicas = randomCount(random)): Manifest {
  return {
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: name === 'llama' ? 'llama' : 'qwen' },
      runtime: { engine: 'vllm', version: '0.27.1', args: ['--max-model-len', pick(random, ['8192', '16384'])] },
      compute: {
        mode: 'elastic',
        placements: GPUS.map((gpu) => ({ cloud: 'runpod', accelerator: `${gpu}:1` })),
      },
      scaling: { replicas },
      readiness: { startDeadline: '10m' },
      rollout: { strategy: pick(random, ['surge', 'in-place']), drainDeadline: '20s' },
    },
  };
}

function endMachine({ world }: Simulation, random: Random): void {
  const running = world.cloud.running();
  if (running.length > 0) void world.cloud.end(pick(random, running), 'killed at the provider');
}

function hurtServer({ world }: Simulation, random: Random): void {
  const running = world.cloud.running();
  if (running.length > 0) world.cloud.setFault(pick(random, running), pick(random, MODEL_FAULTS));
}
