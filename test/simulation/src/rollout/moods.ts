import type { Simulation } from '../simulation.js';

/** What a candidate turns out to be. */
export type Mood = 'good' | 'never-loads' | 'schema' | 'slow' | 'stuck';

/** Makes workers with a template be so; ends when told to. */
export function spoil({ world }: Simulation, mood: Mood, template: string): () => void {
  const on = { template };
  switch (mood) {
    case 'never-loads':
      return world.vast.arm({ kind: 'never-loads', on });
    case 'schema':
      return world.vast.arm({ kind: 'wrong-output', how: 'schema', on });
    case 'slow':
      return world.vast.arm({ kind: 'latency', ms: 9_000, on });
    case 'stuck':
      return world.vast.arm({ kind: 'stuck-update', workers: 1, on });
    case 'good':
      return () => undefined;
  }
}
