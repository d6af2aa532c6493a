import type { HourlyPrice, Placement, SpendLimits, StockSignal, StockState } from '@davit/contracts';
import { canonicalJson } from '../canonical.js';
import { compareAmounts, multiplyAmount } from '../money.js';
import { instancePrice } from './price.js';
import type { Refusal } from '../lifecycle/state.js';

/** A rung that refused a launch is not asked again for this long. */
export const REFUSAL_MEMORY_MS = 10 * 60_000;

export type RungInput = {
  readonly rung: number;
  readonly placement: Placement;
  readonly signal: StockSignal | undefined;
};

export type RungEvidence = {
  readonly rung: number;
  readonly placement: Placement;
  readonly state: StockState;
  readonly source: string;
  readonly scope: string;
  readonly observedAt: string | null;
  readonly verdict: 'chosen' | 'next' | 'rejected';
  readonly reason: string;
};

export type Choice =
  | {
      readonly outcome: 'chosen';
      readonly rung: number;
      readonly placement: Placement;
      readonly price: HourlyPrice | null;
      readonly evidence: RungEvidence[];
    }
  /** `permanent` when waiting cannot help on any rung. */
  | {
      readonly outcome: 'none';
      readonly permanent: boolean;
      readonly reason: string;
      readonly evidence: RungEvidence[];
    };

export type ChoiceLimits = {
  /** Of the whole deployment; null when it has none. */
  readonly budget: Pick<SpendLimits, 'maxHourly' | 'currency'> | null;
  readonly replicas: number;
};

/**
 * Takes the first rung of the ladder that nothing speaks against. Only `unavailable`, a price above the rung's or the
 * deployment's ceiling, or a recent refusal speak against one; not knowing never does (law 4).
 */
export function choosePlacement(
  rungs: readonly RungInput[],
  refusals: readonly Refusal[],
  limits: ChoiceLimits,
  nowMs: number,
): Choice {
  const judged = rungs.map((input) => judge(input, refusals, limits, nowMs));
  const chosen = judged.find(({ objection }) => objection === null);
  const evidence = judged.map(({ input, state, objection }): RungEvidence => ({
    rung: input.rung,
    placement: input.placement,
    state,
    source: input.signal?.source ?? 'none',
    scope: input.signal?.scope ?? 'none',
    observedAt: input.signal?.observedAt ?? null,
    verdict: objection !== null ? 'rejected' : input === chosen?.input ? 'chosen' : 'next',
    reason: objection?.reason ?? favour(state, input === chosen?.input),
  }));
  if (chosen) {
    const { rung, placement, signal } = chosen.input;
    return { outcome: 'chosen', rung, placement, price: signal?.price ?? null, evidence };
  }
  return {
    outcome: 'none',
    permanent: judged.every(({ objection }) => objection?.permanent === true),
    reason: judged
      .map(({ input, objection }) => `${describePlacement(input.placement)}: ${objection?.reason ?? ''}`)
      .join('; '),
    evidence,
  };
}

type Objection = { readonly reason: string; readonly permanent: boolean };
type Judged = { readonly input: RungInput; readonly state: StockState; readonly objection: Objection | null };

function judge(input: RungInput, refusals: readonly Refusal[], limits: ChoiceLimits, nowMs: number): Judged {
  const state = presentState(input.signal, nowMs);
  return { input, state, objection: objectionTo(input, state, refusals, limits, nowMs) };
}

function objectionTo(
  { placement, signal }: RungInput,
  state: StockState,
  refusals: readonly Refusal[],
  limits: ChoiceLimits,
  nowMs: number,
): Objection | null {
  const identity = canonicalJson(placement);
  const refused = refusals.findLast(
    (refusal) => refusal.placement !== null && canonicalJson(refusal.placement) === identity,
  );
  if (refused && nowMs - Date.parse(refused.at) < REFUSAL_MEMORY_MS) {
    return { reason: `refused a launch for ${refused.class} at ${refused.at}`, permanent: false };
  }
  if (state === 'unavailable') {
    return { reason: signal?.detail ?? 'no stock', permanent: signal?.permanent ?? false };
  }
  // Past its lifetime a signal says nothing, of price as of stock.
  const price = signal && isCurrent(signal, nowMs) ? signal.price : null;
  return price ? objectionToPrice(price, placement, limits) : null;
}

function objectionToPrice(price: HourlyPrice, placement: Placement, limits: ChoiceLimits): Objection | null {
  const { budget, replicas } = limits;
  const amount = instancePrice(price, placement);
  if (placement.maxHourlyPrice !== null && compareAmounts(amount, placement.maxHourlyPrice) > 0) {
    return {
      reason: `${amount} an hour is above this placement's ceiling of ${placement.maxHourlyPrice}`,
      permanent: false,
    };
  }
  if (budget?.maxHourly === undefined) return null;
  if (price.currency !== budget.currency) {
    return {
      reason: `priced in ${price.currency}, which a budget in ${budget.currency} cannot judge`,
      permanent: true,
    };
  }
  if (compareAmounts(multiplyAmount(amount, replicas), budget.maxHourly) > 0) {
    return { reason: `${replicas} × ${amount} an hour is above the budget of ${budget.maxHourly}`, permanent: false };
  }
  return null;
}

const isCurrent = (signal: StockSignal, nowMs: number): boolean => Date.parse(signal.expiresAt) > nowMs;

/** A signal past its lifetime says nothing any more. */
export function presentState(signal: StockSignal | undefined, nowMs: number): StockState {
  return signal && isCurrent(signal, nowMs) ? signal.state : 'unknown';
}

function favour(state: StockState, chosen: boolean): string {
  const stock = {
    available: 'in stock',
    constrained: 'little stock',
    unknown: 'stock unknown, which does not block',
    unavailable: '',
  };
  return chosen ? `first of the ladder that nothing speaks against; ${stock[state]}` : stock[state];
}

/** `runpod L40S:1 spot`. */
export function describePlacement({ cloud, region, accelerator, spot }: Placement): string {
  const card = accelerator ? `${accelerator.name}:${accelerator.count}` : 'cpu';
  return [cloud, region, card, spot ? 'spot' : null].filter((part) => part !== null).join(' ');
}
