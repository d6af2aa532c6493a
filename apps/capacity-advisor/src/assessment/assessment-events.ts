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
export const capacityStreamOf = ({ cloud, accelerator }: Placement): string =>
  stream.capacity(`${cloud}:${accelerator?.name ?? 'cpu'}:${accelerator?.count ?? 1}`);

/** Each source's last failure, so that an outage is told once and not with every question. */
export type FailureMemory = Map<string, AdviceFailure | undefined>;

export const quoteEvents = (placement: Placement, prices: readonly HourlyPrice[]): readonly NewEvent[] =>
  prices.map((price) => ({ type: 'davit.capacity.price-quoted', data: { placement, price } }));

/** One `assessed` for each rung, grouped by stream; a source that turned from answering to failing is named beside it. */
export function assessmentWrites(
  { id, discovery }: ReplicaState,
  assessed: readonly AssessedRung[],
  failures: FailureMemory,
): readonly Write[] {
  const byStream = new Map<string, NewEvent[]>();
  const failing = failuresOf(assessed);
  for (const { rung, placement, advice, news } of assessed) {
    const { signal, failure } = advice;
    const events = byStream.get(capacityStreamOf(placement)) ?? [];
    byStream.set(capacityStreamOf(placement), events);
    const data = { replicaId: id, attempt: discovery.attempt, rung, placement, signal };
    events.push({ type: 'davit.capacity.assessed', data }, ...quoteEvents(placement, news));
    const { source, detail } = signal;
    if (failure !== undefined && failing.get(source) === failure && failures.get(source) !== failure) {
      events.push({ type: 'davit.capacity.advice-failed', data: { placement, source, detail } });
      failures.set(source, failure);
    }
  }
  for (const [source, failure] of failing) failures.set(source, failure);
  return [...byStream].flatMap(([name, [first, ...rest]]) =>
    first ? [{ stream: name, expectedVersion: 'any' as const, events: [first, ...rest] as const }] : [],
  );
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
