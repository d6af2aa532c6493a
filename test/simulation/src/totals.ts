import type { RunOutcome } from './random-runs.js';

/** What many runs came to; `leaked`, `doubled` and `stuck` are counted by the world's ledger and clock, not by the product. */
export interface Totals {
  readonly runs: number;
  readonly events: number;
  readonly machines: number;
  readonly leaked: number;
  readonly doubled: number;
  readonly stuck: number;
  readonly lawsBroken: number;
  readonly differ: number;
  readonly failed: number;
  readonly virtualHours: number;
  readonly seconds: number;
  readonly seedsPerSecond: number;
}

const HOUR_MS = 3_600_000;

export function totalsOf(outcomes: readonly RunOutcome[], elapsedMs: number): Totals {
  const sum = (of: (outcome: RunOutcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  const seconds = elapsedMs / 1_000;
  return {
    runs: outcomes.length,
    events: sum(({ events }) => events),
    machines: sum(({ machines }) => machines),
    leaked: sum(({ leaked }) => leaked),
    doubled: sum(({ doubled }) => doubled),
    stuck: sum(({ stuck }) => stuck),
    lawsBroken: sum(({ lawsBroken }) => lawsBroken),
    differ: sum(({ differ }) => differ),
    failed: sum(({ faults }) => (faults.length > 0 ? 1 : 0)),
    virtualHours: rounded(sum(({ virtualMs }) => virtualMs) / HOUR_MS, 1),
    seconds: rounded(seconds, 1),
    seedsPerSecond: rounded(outcomes.length / seconds, 2),
  };
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
