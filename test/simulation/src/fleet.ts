import { type Random, jitter } from '@davit/ports';
import { pick } from './outside-faults.js';
import type { Simulation } from './simulation.js';

const NAMES = ['qwen', 'qwen-canary', 'llama'] as const;
const CONTEXTS = ['8192', '16384'] as const;

/** One wish or blow in the life of a deployment. */
type Step =
  | { readonly do: 'apply'; readonly replicas: number; readonly context: (typeof CONTEXTS)[number] }
  | { readonly do: 'kill' }
  | { readonly do: 'remove' };

const [FIRST, SECOND] = CONTEXTS;

/** What operators do on their worst day; every order of these must end well. */
const LIVES: readonly (readonly Step[])[] = [
  // One, two, one, two replicas.
  [1, 2, 1, 2].map((replicas) => ({ do: 'apply', replicas, context: FIRST })),
  // Healed twice.
  [{ do: 'apply', replicas: 2, context: FIRST }, { do: 'kill' }, { do: 'kill' }],
  // A new revision, then back to the one before, then on again.
  [FIRST, SECOND, FIRST, SECOND].map((context) => ({ do: 'apply', replicas: 2, context })),
  // Deleted while it starts, and wanted again while it is being deleted.
  [
    { do: 'apply', replicas: 2, context: FIRST },
    { do: 'remove' },
    { do: 'apply', replicas: 1, context: SECOND },
    { do: 'kill' },
  ],
];

/** Three deployments at once, each through a life of its own, with pauses that may be shorter or longer than a start. */
export async function fleetLife(simulation: Simulation, random: Random): Promise<void> {
  const lives = NAMES.map((name) => ({ name, steps: [...pick(random, LIVES), ...pick(random, LIVES)] }));
  while (lives.some(({ steps }) => steps.length > 0)) {
    const { name, steps } = pick(
      random,
      lives.filter(({ steps: left }) => left.length > 0),
    );
    const step = steps.shift();
    if (step) await take(simulation, random, name, step);
    await simulation.clock.advance(random.next() < 0.3 ? 100 : jitter(random, 12_000, 1));
  }
}

async function take(simulation: Simulation, random: Random, name: string, step: Step): Promise<void> {
  switch (step.do) {
    case 'apply':
      return simulation.apply(manifest(name, step.replicas, step.context));
    case 'remove':
      await simulation.remove(`default/${name}`);
      return;
    case 'kill': {
      const running = simulation.world.cloud.running();
      if (running.length > 0) void simulation.world.cloud.end(pick(random, running), 'killed at the provider');
    }
  }
}

const manifest = (name: string, replicas: number, context: string): Parameters<Simulation['apply']>[0] => ({
  apiVersion: 'davit.dev/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    model: { id: 'Qwen/Qwen3-8B', servedName: name === 'llama' ? 'llama' : 'qwen' },
    runtime: { engine: 'vllm', version: '0.27.1', args: ['--max-model-len', context] },
    compute: {
      mode: 'elastic',
      placements: ['L40S', 'A100-80GB'].map((gpu) => ({ cloud: 'runpod', accelerator: `${gpu}:1` })),
    },
    scaling: { replicas },
    readiness: { startDeadline: '10m' },
    rollout: { strategy: name === 'llama' ? 'in-place' : 'surge', drainDeadline: '20s' },
  },
});
