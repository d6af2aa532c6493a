import type { HourlyPrice, Placement, StockSignal, StockState } from '@davit/contracts';
import {
  type Candidate,
  type OfferState,
  type OfferTry,
  type PlacementQuestion,
  UNASKED,
  offerKeyOf,
} from '@davit/domain';

/** Fixed, so that each run ranks the same offers. */
export const NOW_MS = Date.UTC(2026, 8, 1);

const CLOUDS = ['runpod', 'vast', 'aws', 'gcp', 'lambda'] as const;
const CARDS = ['L4', 'L40S', 'A100-80GB', 'H100', 'H100-SXM', 'H200-SXM', 'B200', 'RTX4090', 'RTX5090', 'RTXA6000'];
const STATES: readonly StockState[] = ['available', 'available', 'constrained', 'unavailable', 'unknown'];
/** Every fourth offer was tried, so often. */
const TRIES = 20;

const iso = (ms: number): string => new Date(ms).toISOString();

/** Numbers that look random and are the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

/** A question about so many offers, all different, with signals, prices, history and a budget. */
export function questionAbout(count: number): PlacementQuestion {
  const next = sequence(7);
  return {
    ...UNASKED,
    candidates: Array.from({ length: count }, (_, rung) => candidate(rung, next)),
    selection: 'best',
    objective: 'cost',
    spread: 'region',
    ahead: 7,
    budgets: [{ hourlyLeft: { amount: '40.00', currency: 'USD' }, totalLeft: null, why: 'nothing is rented' }],
    nowMs: NOW_MS,
  };
}

function candidate(rung: number, next: (below: number) => number): Candidate {
  const placement: Placement = {
    cloud: CLOUDS[rung % CLOUDS.length] ?? 'runpod',
    region: `region-${Math.floor(rung / (CLOUDS.length * CARDS.length * 2))}`,
    accelerator: { name: CARDS[Math.floor(rung / CLOUDS.length) % CARDS.length] ?? 'L4', count: 1 + next(8) },
    spot: Math.floor(rung / (CLOUDS.length * CARDS.length)) % 2 === 1,
    maxHourlyPrice: next(3) === 0 ? `${2 + next(30)}.00` : null,
  };
  return {
    rung,
    placement,
    signal: next(20) === 0 ? undefined : signal(placement, next),
    offer: rung % 4 === 0 ? offer(placement, next) : undefined,
    firstPrice: null,
  };
}

function signal(placement: Placement, next: (below: number) => number): StockSignal {
  const ageMs = next(45_000);
  const observedAt = iso(NOW_MS - ageMs);
  const price: HourlyPrice = {
    amount: `${next(20)}.${String(next(100)).padStart(2, '0')}1`,
    currency: 'USD',
    unit: next(2) === 0 ? 'gpu-hour' : 'instance-hour',
    kind: 'quoted',
    source: placement.cloud,
    observedAt,
    market: placement.spot ? 'spot' : 'on-demand',
  };
  return {
    state: STATES[next(STATES.length)] ?? 'unknown',
    source: placement.cloud,
    scope: 'region',
    level: null,
    observedAt,
    expiresAt: iso(NOW_MS - ageMs + 40_000),
    price: next(10) === 0 ? null : price,
    detail: '',
    permanent: false,
  };
}

function offer(placement: Placement, next: (below: number) => number): OfferState {
  const { cloud, region, accelerator, spot } = placement;
  const tries = Array.from({ length: TRIES }, (_, index): OfferTry => {
    const endedMs = NOW_MS - (TRIES - index) * 7 * 60_000;
    const outcome = (['served', 'served', 'served', 'refused', 'failed'] as const)[next(5)] ?? 'served';
    return {
      at: iso(endedMs - 60_000 - next(900_000)),
      said: 'available',
      source: cloud,
      replicaId: `default/other-1-${index}-1`,
      endedAt: iso(endedMs),
      outcome,
      class: outcome === 'served' ? null : outcome === 'refused' ? 'capacity' : 'transient',
      detail: '',
      position: index + 1,
    };
  });
  return { key: offerKeyOf(placement), offer: { cloud, region, accelerator, spot }, open: {}, tries, losses: [] };
}
