import { type Money } from '../../placement/limits.js';
import { type OutputDifference } from '../contract/compare.js';

/** What went wrong with a rollout; each has one policy (docs/explanation/verdicts.md). */
export type Situation =
  | {
      readonly kind: 'canary-cannot-load';
      /** Where it stopped. */
      readonly step: 'image' | 'model' | 'environment' | 'readiness' | 'unknown';
      readonly detail: string;
    }
  | {
      readonly kind: 'queue-time-breached';
      /** From the sequential evidence, never from one window; `unknown` where the wait is not measured. */
      readonly breach: 'proven' | 'suspected' | 'unknown';
      /** Since when it lasts. */
      readonly lastsMs: number;
      readonly maxWorkers: number;
      /** The dearest that one more worker may cost an hour; null: not known. */
      readonly workerHourly: Money | null;
      readonly budgetHourly: Money;
      /** How often capacity was raised for this breach. */
      readonly raises: number;
    }
  | {
      readonly kind: 'not-converged';
      readonly lastsMs: number;
      /** Workers that are not proven to be on the candidate, with what is known of each. */
      readonly missing: readonly {
        readonly workerId: string;
        readonly on: 'baseline' | 'unknown';
        readonly status: string;
      }[];
      readonly areLogsInspected: boolean;
    }
  | {
      readonly kind: 'contract-regressed';
      readonly differences: readonly OutputDifference[];
      /** Of the bundle that shows it. */
      readonly evidenceDigest: string;
    };

export type ResponsePolicy = {
  /** Workers that one raise adds. */
  readonly workersPerRaise: number;
  readonly mostRaises: number;
  /** A breach that lasts so long in spite of what was raised is rolled back. */
  readonly breachPatienceMs: number;
  /** Workers that do not converge for so long are rolled back, once their logs were looked at. */
  readonly convergenceDeadlineMs: number;
};

export const DEFAULT_RESPONSE_POLICY: ResponsePolicy = {
  workersPerRaise: 1,
  mostRaises: 2,
  breachPatienceMs: 10 * 60_000,
  convergenceDeadlineMs: 45 * 60_000,
};

/** What is to be done. `acceptance: 'paused'` forbids an accept until the situation is over. */
export type Response =
  | {
      readonly action: 'stop';
      /** No write to production, now or later, by this rollout. */
      readonly production: 'untouched';
      readonly remedy: string;
    }
  | { readonly action: 'hold'; readonly acceptance: 'paused'; readonly because: string }
  | {
      readonly action: 'raise-capacity';
      readonly acceptance: 'paused';
      readonly maxWorkers: number;
      readonly worstHourly: Money;
    }
  | {
      readonly action: 'inspect-logs';
      readonly acceptance: 'paused';
      readonly workerIds: readonly string[];
      readonly claimsZeroDowntime: false;
    }
  | {
      readonly action: 'roll-back';
      readonly to: 'last-verified';
      readonly because: string;
      readonly claimsZeroDowntime: false;
      /** What must be kept. */
      readonly keepEvidence: readonly string[];
    };
