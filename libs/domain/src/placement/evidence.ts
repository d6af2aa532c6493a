import type { EventData, StockSignal } from '@davit/contracts';
import type { RankedCandidate, Ranking } from './ranking.js';

export type RungEvidence = EventData<'davit.replica.placed'>['evidence'][number];

/**
 * A ranking as an event keeps it (law 15), in the order in which candidates would be taken.
 * @param answers by rung, whole, for a decision that waits because of them
 */
export const evidenceOf = (
  { candidates }: Ranking,
  answers: Readonly<Record<string, StockSignal>> = {},
): RungEvidence[] => candidates.map((candidate) => evidence(candidate, answers[candidate.rung]));

function evidence(candidate: RankedCandidate, signal: StockSignal | undefined): RungEvidence {
  const { rung, placement, stock, verdict, reason, confidence, price, scores } = candidate;
  const { state, source, scope, observedAt, ageMs } = stock;
  const told: RungEvidence = {
    rung,
    placement,
    state,
    source,
    scope,
    observedAt,
    verdict,
    reason,
    ageMs: ageMs === null ? null : Math.round(ageMs),
    confidence,
    price: price.price,
    scores,
  };
  return signal === undefined ? told : { ...told, signal };
}
