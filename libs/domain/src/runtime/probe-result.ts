import type { ReadinessSignal, UnreadyReason } from '@davit/contracts';

/** What a server tells of itself; each is absent where it does not. */
export type ServerFacts = {
  readonly contextLength?: number;
  readonly adapters?: readonly string[];
  readonly engineVersion?: string;
};

/** What one probe of a model server found, with what each source said. */
export type ProbeResult = { readonly signals: readonly ReadinessSignal[] } & (
  | ({
      readonly outcome: 'ready';
      readonly servedModel: string;
      readonly healthMs: number;
      readonly modelsMs: number;
      /** Null where none was asked for: an earlier one still counts. */
      readonly inferenceMs: number | null;
    } & ServerFacts)
  | {
      readonly outcome: 'unready';
      readonly reason: UnreadyReason;
      readonly detail: string;
      /** Nothing came in time, which a busy server does as well as a dead one. */
      readonly slow: boolean;
    }
  | { readonly outcome: 'wrong-model'; readonly expected: string; readonly found: readonly string[] }
);

export type UnreadyResult = Extract<ProbeResult, { readonly outcome: 'unready' }>;
