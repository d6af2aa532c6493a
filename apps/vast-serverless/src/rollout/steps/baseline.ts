import { MOST_BASELINE_SUMMARIES } from '@davit/contracts';
import type { ReconcileResult } from '@davit/reconcile';
import { askPrompts, recordedOf } from '../canary/ask-prompts.js';
import { sample, type SampleBook, samplePlan, summariesOf } from '../production/sampler.js';
import { productionTarget } from '../production/target.js';
import { isNotSeen } from '../production/workers.js';
import { promptsOf } from '../prompts.js';
import type { Turn } from '../turn.js';

const NAME = 'baseline';

/** How production serves before anything of it is changed: requests of our own, window after window. */
export async function recordBaseline(turn: Turn): Promise<ReconcileResult> {
  const { state, parts, jobs, plan } = turn;
  const running = jobs.get<SampleBook, null>(state.id, NAME);
  if (running?.end?.ok === true) return write(turn, running.data);
  if (running && running.end === null) return turn.soon;
  const target = await productionTarget(turn);
  const prompts = await promptsOf(turn);
  if (isNotSeen(target)) return turn.notKnown('baseline', target);
  if (!prompts) return turn.notKnown('baseline', 'no prompts');
  const book: SampleBook = { sampled: [] };
  const question = { ...samplePlan(plan.policy), target, prompts };
  jobs.begin(state.id, NAME, book, (ordered) => sample(parts, question, book, ordered));
  return turn.soon;
}

async function write(turn: Turn, { sampled }: SampleBook): Promise<ReconcileResult> {
  const { state, parts, jobs } = turn;
  const target = await productionTarget(turn);
  const prompts = await promptsOf(turn);
  if (isNotSeen(target)) return turn.notKnown('baseline', target);
  if (!prompts) return turn.notKnown('baseline', 'no prompts');
  const [first, ...more] = summariesOf(sampled).slice(-MOST_BASELINE_SUMMARIES);
  if (first === undefined) {
    // Another baseline is recorded: what nobody could observe compares with nothing.
    jobs.end(state.id, NAME);
    return turn.notKnown('baseline', 'no window of it was seen to its end');
  }
  const answers = await askPrompts(parts, target, recordedOf(prompts).asked);
  const outputs = answers.flatMap(({ prompt, output }) => (output === null ? [] : [{ prompt, output }]));
  const kept = await parts.evidence.put('baseline', {
    ...{ version: 1, windows: sampled.map(({ window }) => window), outputs },
  });
  const written = await turn.append({
    type: 'davit.rollout.baseline-recorded',
    data: { rolloutId: state.id, windows: [first, ...more], evidenceDigest: kept.digest },
  });
  if (written) jobs.end(state.id, NAME);
  return turn.soon;
}
