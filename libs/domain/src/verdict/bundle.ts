import { type ContractEvidence } from './contract/observation.js';
import { type VerdictPolicy } from './policy.js';
import { type Objectives, type Window } from './window.js';

/** Who is compared with whom. Opaque here: names, template ids, digests of images. */
export type Identity = Readonly<Record<string, string>>;

/**
 * All that a verdict rests on. Plain JSON: what is read back from text is judged the same, and has the same digest.
 * A window of null is a window in which nothing could be observed.
 */
export type VerdictBundle = {
  readonly version: 1;
  readonly identities: { readonly baseline: Identity; readonly candidate: Identity };
  readonly policy: VerdictPolicy;
  readonly objectives: Objectives;
  readonly baseline: readonly (Window | null)[];
  readonly candidate: readonly (Window | null)[];
  /** When the candidate began to serve. Milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** The instant of the verdict: windows that end later do not count. */
  readonly asOfMs: number;
  /** Null: outputs were not compared, so the contract is unknown. */
  readonly contract: ContractEvidence | null;
};

export const VERDICTS = ['accept', 'wait', 'reject'] as const;

/** One rule that was applied, and what it came to. */
export type VerdictReason = {
  /** Stable name, for example `latency-p95-objective`. */
  readonly rule: string;
  readonly outcome: (typeof REASON_OUTCOMES)[number];
  /** For people. */
  readonly detail: string;
  /** What the rule computed with; money as decimal text. */
  readonly figures: Readonly<Record<string, number | string | null>>;
};

/** `met`: proven good. `open`: not proven yet. `broken`: proven bad, or out of time. */
export const REASON_OUTCOMES = ['met', 'open', 'broken'] as const;

export type RolloutVerdict = {
  readonly verdict: (typeof VERDICTS)[number];
  /** Those that decided stand first. */
  readonly reasons: readonly VerdictReason[];
  /** The most probable a false accept may be, however often one looks. */
  readonly alpha: number;
  /** The most probable it may be that a candidate within the tolerances is rejected for its figures. */
  readonly beta: number;
  /** Requests that were counted. */
  readonly samples: { readonly baseline: number; readonly candidate: number };
  /** SHA-256 of the canonical JSON of the bundle. */
  readonly digest: string;
};
