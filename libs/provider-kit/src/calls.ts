import type { ErrorClass } from '@davit/contracts';

/** What a call of a provider can end in: it did as asked, it said that it did not, or nothing that says which (law 3). */
export const CALL_OUTCOMES = ['answered', 'failed', 'lost'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** One call of a provider that has ended. */
export type ProviderCall = {
  /** Which of the adapter's calls, never an address or a name of a thing. */
  readonly call: string;
  readonly outcome: CallOutcome;
  /** Of a failure; null otherwise. */
  readonly class: ErrorClass | null;
  readonly seconds: number;
};

/** Told of each call that was made. */
export type OnProviderCall = (call: ProviderCall) => void;
export const CALLS_UNHEARD: OnProviderCall = () => undefined;
