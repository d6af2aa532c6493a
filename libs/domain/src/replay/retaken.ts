import type { ReplayedKind } from '@davit/contracts';

/** One word or few, equal exactly where nothing differs; and why. */
export type RetakenOutcome = { readonly outcome: string; readonly reason: string };

/** A recorded decision, taken again under another policy. */
export type Retaken = {
  readonly kind: ReplayedKind;
  readonly about: { readonly kind: 'replica' | 'rollout' | 'fleet'; readonly name: string };
  readonly was: RetakenOutcome;
  readonly would: RetakenOutcome;
  /** What the other decision rests on, by name. */
  readonly evidence: readonly { readonly name: string; readonly value: string }[];
  /** What it would have passed over, and why. */
  readonly alternatives: readonly RetakenOutcome[];
};

/** It cannot be taken again, and why. */
export type NotRetaken = { readonly notJudged: string };

export const isRetaken = (answer: Retaken | NotRetaken): answer is Retaken => !('notJudged' in answer);
