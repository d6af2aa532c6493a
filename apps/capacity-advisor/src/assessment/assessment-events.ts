import { type HourlyPrice, type NewEvent, type Placement, stream } from '@davit/contracts';
import type { ReplicaState, Write } from '@davit/domain';
import type { Advice, AdviceFailure } from '../advisors/advisor.js';
import type { WaitingRung } from './waiting-rungs.js';

export type AssessedRung = WaitingRung & {
  readonly advice: Advice;
  /** Prices that nobody told of yet. */
  readonly news: readonly HourlyPrice[];
};

/** Stream of a placement's signal: rungs that differ in region or price ceiling share one. */
const capacityStreamOf = ({ cloud, accelerator }: Placement): string =>
  stream.capacity(`${cloud}:${accelerator?.name ?? 'cpu'}:${accelerator?.count ?? 1}`);

/** Each source's last failure, so that an outage is told once and not with every question. */
export type FailureMemory = Map<string, AdviceFailure | undefined>;

export const quoteEvents = (placement: Placement, prices: readonly HourlyPrice[]): readonly NewEvent[] =>
  prices.map((price) => ({ type: 'davit.capacity.price-quoted', data: { placement, price } }));

export type OfferEvents = { readonly placement: Placement; readonly events: readonly NewEvent[] };

/** Events of many placements as the log takes them: one write for each stream. */
export function capacityWrites(all: readonly OfferEvents[]): readonly Write[] {
  const byStream = new Map<string, NewEvent[]>();
  for (const { placement, events } of all) {
    const name = capacityStreamOf(placement);
    byStream.set(name, [...(byStream.get(name) ?? []), ...events]);
  }
  return [...byStream].flatMap(([name, [first, ...rest]]) =>
    first ? [{ stream: name, expectedVersion: 'any' as const, events: [first, ...rest] as const }] : [],
  );
}

/** One `assessed` for each rung, grouped by stream; a source that turned from answering to failing is named beside it. */
export function assessmentWrites(
  { id, discovery }: ReplicaState,
  assessed: readonly AssessedRung[],
  failures: FailureMemory,
): readonly Write[] {
  const failing = failuresOf(assessed);
  const writes = assessed.map(({ rung, placement, advice: { signal, failure }, news }): OfferEvents => {
    const { source, detail } = signal;
    const data = { replicaId: id, attempt: discovery.attempt, rung, placement, signal };
    const events: NewEvent[] = [{ type: 'davit.capacity.assessed', data }, ...quoteEvents(placement, news)];
    if (failure !== undefined && failing.get(source) === failure && failures.get(source) !== failure) {
      events.push({ type: 'davit.capacity.advice-failed', data: { placement, source, detail } });
      failures.set(source, failure);
    }
    return { placement, events };
  });
  for (const [source, failure] of failing) failures.set(source, failure);
  return capacityWrites(writes);
}

/** How each source fares over the whole ladder: one that answers some rungs and not others is failing, and is named once. */
function failuresOf(assessed: readonly AssessedRung[]): FailureMemory {
  const failing: FailureMemory = new Map();
  for (const { advice } of assessed) {
    const { source } = advice.signal;
    if (source !== 'none') failing.set(source, failing.get(source) ?? advice.failure);
  }
  return failing;
}
