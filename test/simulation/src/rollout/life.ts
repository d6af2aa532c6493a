import { type Random, jitter } from '@davit/ports';
import { waitFor } from '../main-job.js';
import { pick } from '../outside-faults.js';
import type { Simulation } from '../simulation.js';
import { SERVERLESS_KEY, serverlessManifest } from './manifest.js';
import { type RolloutEnd, doubledEndpoints, isEnd, leftAtVast, provenTemplate, servingTemplates } from './watch.js';

const CANDIDATES = ['4096', '8192', '16384'] as const;
/** What a candidate turns out to be. */
const MOODS = ['good', 'good', 'never-loads', 'schema', 'slow', 'stuck', 'unwanted'] as const;

/** Candidates of all kinds, one after the other, while services die and answers are lost: each comes to an end that production shows. */
export async function rolloutLife(simulation: Simulation, random: Random, quiet: () => void): Promise<void> {
  await simulation.apply(serverlessManifest({ maxModelLen: '2048' }));
  await waitFor(simulation, 'the endpoint serves', async () => {
    const state = await simulation.deployment(SERVERLESS_KEY);
    return state?.activeRevision === 1 && servingTemplates(simulation).length === 1;
  });
  const chosen = [pick(random, CANDIDATES), pick(random, CANDIDATES)];
  for (const maxModelLen of new Set(chosen)) await oneRollout(simulation, random, maxModelLen);
  quiet();
  await simulation.remove(SERVERLESS_KEY);
  await waitFor(simulation, 'the endpoint is deleted', async () => {
    return (await simulation.deployment(SERVERLESS_KEY))?.status === 'deleted';
  });
  await waitFor(simulation, 'nothing is left at Vast', () => Promise.resolve(leftAtVast(simulation).length === 0));
  await waitFor(simulation, 'caught up', () => simulation.caughtUp());
}

async function oneRollout(simulation: Simulation, random: Random, maxModelLen: string): Promise<void> {
  const mood = pick(random, MOODS);
  const approval = random.next() < 0.7 ? 'required' : 'none';
  const from = await simulation.log.head();
  await simulation.apply(serverlessManifest({ maxModelLen, approval }));
  let end: RolloutEnd | undefined;
  let mend = (): void => undefined;
  let read = from;
  await waitFor(simulation, `a candidate that is ${mood} comes to an end`, async () => {
    const doubled = doubledEndpoints(simulation);
    if (doubled.length > 0) throw new Error(`${doubled.join(', ')} is there twice`);
    const events = await simulation.log.read(read, 10_000);
    read += events.length;
    for (const event of events) {
      if (event.type === 'davit.rollout.template-recorded')
        mend = spoil(simulation, mood, event.data.template.templateHash);
      if (event.type === 'davit.rollout.approval-requested' && event.data.required)
        decide(simulation, random, mood, event.data);
      if (isEnd(event)) end = event;
    }
    return end !== undefined;
  });
  mend();
  await shown(simulation, end);
}

/** Production runs what the log says that it was proven to run. */
async function shown(simulation: Simulation, end: RolloutEnd | undefined): Promise<void> {
  if (!end) return;
  const proven = provenTemplate(await simulation.events(), end);
  if (proven === undefined) return;
  const serving = servingTemplates(simulation);
  if (serving.some((hash) => hash !== proven))
    throw new Error(`after ${end.type} production runs ${serving.join(', ')}, not ${proven} alone`);
}

function spoil({ world }: Simulation, mood: (typeof MOODS)[number], template: string): () => void {
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
    case 'unwanted':
      return () => undefined;
  }
}

/** Somebody looks at it after a while; the word may come too late, which is no harm. */
function decide(
  simulation: Simulation,
  random: Random,
  mood: (typeof MOODS)[number],
  { rolloutId, evidenceDigest }: { readonly rolloutId: string; readonly evidenceDigest: string },
): void {
  const verb = mood === 'unwanted' ? pick(random, ['reject', 'abort'] as const) : 'approve';
  simulation.clock.schedule(
    jitter(random, 20_000, 0.9),
    () => void simulation.rollout(verb, rolloutId, evidenceDigest),
  );
}
