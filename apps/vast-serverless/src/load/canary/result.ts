import type { EventData } from '@davit/contracts';
import { type ContractEvidence, digestOf } from '@davit/domain';

type DataOf<Type extends 'davit.rollout.candidate-proved' | 'davit.rollout.candidate-failed'> = Omit<
  EventData<Type>,
  'rolloutId'
>;

/** What a canary showed, as events tell it. The evidence holds answers with their words veiled. */
export type CanaryResult =
  | {
      readonly kind: 'proved';
      readonly data: DataOf<'davit.rollout.candidate-proved'>;
      readonly evidence: ContractEvidence;
    }
  | {
      readonly kind: 'failed';
      readonly data: DataOf<'davit.rollout.candidate-failed'>;
      /** Null when no answer was compared. */
      readonly evidence: ContractEvidence | null;
    }
  | { readonly kind: 'aborted' };

type FailedStep = DataOf<'davit.rollout.candidate-failed'>['step'];

const MOST_DETAIL = 2_000;

export const failed = (step: FailedStep, words: string, evidence: ContractEvidence | null = null): CanaryResult => {
  const detail = words.length > MOST_DETAIL ? `${words.slice(0, MOST_DETAIL - 1)}…` : words;
  const evidenceDigest = evidence === null ? null : digestOf(evidence);
  return { kind: 'failed', data: { step, detail, evidenceDigest }, evidence };
};
