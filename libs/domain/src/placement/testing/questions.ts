import type { ErrorClass, HourlyPrice, Placement, StockSignal, StockState } from '@davit/contracts';
import type { OfferState, OfferTry } from '../../lifecycle/evolve-offer.js';
import type { BudgetRoom } from '../limits.js';
import { offerKeyOf } from '../offer.js';
import { type Candidate, type PlacementQuestion, UNASKED } from '../question.js';

/** Parts of questions for tests: everything was seen at {@link NOW} unless a test says otherwise. */
export const NOW = Date.UTC(2026, 0, 1);
export const iso = (ms: number): string => new Date(ms).toISOString();

export const placementAt = (change: Partial<Placement> = {}): Placement => ({
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L40S', count: 1 },
  spot: false,
  maxHourlyPrice: null,
  ...change,
});

export const priceOfMachine = (amount: string, change: Partial<HourlyPrice> = {}): HourlyPrice => ({
  amount,
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'quoted',
  source: 'runpod-v2',
  observedAt: iso(NOW),
  ...change,
});

export function signalOf(
  state: StockState,
  { amount, ageMs = 0, ...change }: Partial<StockSignal> & { amount?: string; ageMs?: number } = {},
): StockSignal {
  return {
    state,
    source: 'runpod-v2',
    scope: 'global',
    level: null,
    observedAt: iso(NOW - ageMs),
    expiresAt: iso(NOW - ageMs + 30_000),
    price: amount === undefined ? null : priceOfMachine(amount, { observedAt: iso(NOW - ageMs) }),
    detail: '',
    permanent: false,
    ...change,
  };
}

type Try = {
  readonly outcome: OfferTry['outcome'];
  readonly agoMs: number;
  readonly tookMs?: number;
  readonly said?: StockState;
  readonly class?: ErrorClass;
};

/** What was made of an offer, each start ended so long ago. */
export function offerWith(placement: Placement, tries: readonly Try[], lost: readonly number[] = []): OfferState {
  const { cloud, region, accelerator, spot } = placement;
  const ended = tries.map(({ outcome, agoMs, tookMs = 60_000, said = 'available', ...how }, index): OfferTry => ({
    at: iso(NOW - agoMs - tookMs),
    said,
    source: 'runpod-v2',
    replicaId: `default/other-1-0-${index + 1}`,
    endedAt: iso(NOW - agoMs),
    outcome,
    class: how.class ?? (outcome === 'served' ? null : outcome === 'refused' ? 'capacity' : 'transient'),
    detail: '',
    position: index + 1,
  }));
  return {
    key: offerKeyOf(placement),
    offer: { cloud, region, accelerator, spot },
    open: {},
    tries: ended,
    losses: lost.map((index) => ({ replicaId: `default/other-1-0-${index + 1}`, at: iso(NOW), position: 100 + index })),
  };
}

export const candidateOf = (rung: number, change: Partial<Omit<Candidate, 'rung'>> = {}): Candidate => ({
  rung,
  placement: placementAt({ accelerator: { name: `GPU${rung}`, count: 1 } }),
  signal: undefined,
  offer: undefined,
  firstPrice: null,
  ...change,
});

export const questionWith = (
  candidates: readonly Candidate[],
  change: Partial<PlacementQuestion> = {},
): PlacementQuestion => ({ ...UNASKED, candidates, nowMs: NOW, ...change });

export const roomFor = (hourly: string | null, total: string | null = null, currency = 'USD'): BudgetRoom => ({
  hourlyLeft: hourly === null ? null : { amount: hourly, currency },
  totalLeft: total === null ? null : { amount: total, currency },
  why: 'nothing is rented',
});
