import { type Random, jitter } from '@davit/ports';
import { pick } from '../outside-faults.js';
import type { Simulation } from '../simulation.js';
import { followRollout, isAllGone, servesFirst } from './follow.js';
import { SERVERLESS_KEY, serverlessManifest } from './manifest.js';
import { type Mood, spoil } from './moods.js';

const CANDIDATES = ['4096', '8192', '16384'] as const;
/** What a candidate turns out to be, or that nobody wants it. */
const MOODS: readonly (Mood | 'unwanted')[] = ['good', 'good', 'never-loads', 'schema', 'slow', 'stuck', 'unwanted'];

/** Candidates of all kinds, one after the other, while services die and answers are lost: each comes to an end that production shows. */
export async function rolloutLife(simulation: Simulation, random: Random, quiet: () => void): Promise<void> {
  await simulation.apply(serverlessManifest({ maxModelLen: '2048' }));
  await servesFirst(simulation);
  const chosen = [pick(random, CANDIDATES), pick(random, CANDIDATES)];
  for (const maxModelLen of new Set(chosen)) await oneRollout(simulation, random, maxModelLen);
  quiet();
  await simulation.remove(SERVERLESS_KEY);
  await isAllGone(simulation);
}

async function oneRollout(simulation: Simulation, random: Random, maxModelLen: string): Promise<void> {
  const mood = pick(random, MOODS);
  const approval = random.next() < 0.7 ? 'required' : 'none';
  const from = await simulation.log.head();
  await simulation.apply(serverlessManifest({ maxModelLen, approval }));
  let mend = (): void => undefined;
  await followRollout(simulation, `a candidate that is ${mood}`, from, {
    onTemplate: (hash) => (mend = mood === 'unwanted' ? mend : spoil(simulation, mood, hash)),
    // Somebody looks at it after a while; the word may come too late, which is no harm.
    onQuestion: ({ rolloutId, evidenceDigest }) => {
      const verb = mood === 'unwanted' ? pick(random, ['reject', 'abort'] as const) : 'approve';
      const say = (): void => void simulation.rollout(verb, rolloutId, evidenceDigest);
      simulation.clock.schedule(jitter(random, 20_000, 0.9), say);
    },
  });
  mend();
}
