import { type AssessAnswer, assessRequest, type FieldProblem } from '@davit/contracts';
import type { Assessor } from './assessor.js';

export type AssessOutcome = { readonly answer: AssessAnswer } | { readonly problems: readonly FieldProblem[] };

/** Answers a planner's question with the signals replicas would get now; nothing is recorded. */
export async function answerAssess(question: unknown, assessor: Assessor): Promise<AssessOutcome> {
  const parsed = assessRequest.safeParse(question);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({
      path: path.map(String).join('.'),
      message,
      remedy: 'Send {"placements": […]} with one to sixteen placements as a normalised deployment holds them.',
    }));
    return { problems };
  }
  const { placements } = parsed.data;
  const advice = await assessor.assess(placements);
  const signals = placements.flatMap((placement, rung) => {
    const signal = advice[rung]?.signal;
    return signal ? [{ rung, placement, signal }] : [];
  });
  return { answer: { signals } };
}
