import type { EventData, StoryCandidate } from '@davit/contracts';

export type Evidence = EventData<'davit.replica.placed'>['evidence'][number];

/** What was known of each placement when it was judged at `at`. Ages that an older version did not record follow from the times. */
export function candidatesOf(evidence: readonly Evidence[], at: string): StoryCandidate[] {
  return evidence.map(({ ageMs, confidence, price, scores, observedAt, ...judged }) => ({
    rung: judged.rung,
    placement: judged.placement,
    verdict: judged.verdict,
    reason: judged.reason,
    state: judged.state,
    source: judged.source,
    scope: judged.scope,
    ageMs: ageMs === undefined ? ageAt(observedAt, at) : ageMs,
    confidence: confidence ?? null,
    price: price ?? null,
    priceRecorded: price !== undefined,
    scores: scores ?? {},
  }));
}

function ageAt(observedAt: string | null, at: string): number | null {
  return observedAt === null ? null : Math.max(0, Date.parse(at) - Date.parse(observedAt));
}
