import { type AssessAnswer, MAX_PLACEMENTS, assessRequest, type FieldProblem } from '@davit/contracts';
import type { Assessor } from './assessor.js';
import type { OfferHistory } from './confidence.js';

export type AssessOutcome = { readonly answer: AssessAnswer } | { readonly problems: readonly FieldProblem[] };

/** Planners wait for five seconds by default; what has not been answered by then is unknown, and the rest counts. */
const PATIENCE_MS = 4_000;

/** Answers a planner's question with the signals replicas would get now; nothing is recorded. */
export async function answerAssess(
  question: unknown,
  assessor: Assessor,
  history?: OfferHistory,
): Promise<AssessOutcome> {
  const parsed = assessRequest.safeParse(question);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({
      path: path.map(String).join('.'),
      message,
      remedy: `Send {"placements": […]} with 1 to ${MAX_PLACEMENTS} placements as a normalised deployment holds them, and "diskGiB".`,
    }));
    return { problems };
  }
  const { placements, diskGiB = null } = parsed.data;
  const questions = placements.map((placement) => ({ placement, diskGiB }));
  const advice = await assessor.assess(questions, { patienceMs: PATIENCE_MS, ...(history ? { history } : {}) });
  const signals = placements.flatMap((placement, rung) => {
    const signal = advice[rung]?.signal;
    return signal ? [{ rung, placement, signal }] : [];
  });
  return { answer: { signals } };
}
