import type { EventData, StoryCandidate } from '@davit/contracts';
import { describePlacement } from '@davit/domain';
import { ageText, priceText } from './line.js';

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

/** `runpod L40S:1: in stock; available by runpod-v2 (global, 4 s old); 0.79 USD an hour (quoted by runpod-v2)`. */
export function candidateText(candidate: StoryCandidate): string {
  const { placement, state, source, scope, ageMs, confidence, price, priceRecorded, reason, scores } = candidate;
  const signal =
    ageMs === null
      ? 'nothing was heard of its stock'
      : `${state} by ${source} (${scope}, ${ageText(ageMs)} old${confidence === null ? '' : `, confidence ${confidence}`})`;
  const scored = Object.entries(scores).map(([name, value]) => `${name} ${value}`);
  return [
    `${describePlacement(placement)}: ${reason}`,
    signal,
    ...(priceRecorded ? [priceText(price)] : []),
    ...scored,
  ].join('; ');
}
