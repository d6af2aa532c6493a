import type { Prompt } from '../../load/prompts/prompt.js';
import type { JoinedWorker } from '../../vast/joined.js';
import type { Turn } from '../turn.js';

/** Seconds of all workers' work that the first request asks for; each further one asks for twice as much. */
const FIRST_SECONDS = 1;
/** Load is what wakes workers, and load beyond all of them has more rented: it ends after so many requests of one way forth or back. */
const MOST_REQUESTS = 7;

/**
 * The next request that makes the engine wake what sleeps, so that it can be asked what it serves; none once enough was asked for. It is an
 * ordinary request that names as its cost the work of every worker that is there. Bounds stay as they are, and so does what was approved to
 * be spent at most: every worker that they allow.
 */
export function waking(
  { state, jobs }: Pick<Turn, 'state' | 'jobs'>,
  prompt: Prompt,
  workers: readonly JoinedWorker[],
): readonly Prompt[] {
  const { phase } = state;
  const way = phase.name === 'rolling-back' ? `back, attempt ${phase.rollback.attempt}` : 'forth';
  const note = jobs.note(state.id, `wakes on the way ${way}`, () => ({ requests: 0 }));
  const perf = workers.reduce((sum, { measuredPerf }) => sum + (measuredPerf ?? 0), 0);
  if (note.requests >= MOST_REQUESTS || perf === 0) return [];
  const cost = Math.max(prompt.cost, perf * FIRST_SECONDS * 2 ** note.requests);
  note.requests += 1;
  return [{ ...prompt, cost }];
}
