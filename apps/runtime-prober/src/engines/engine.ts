import type { UnreadyReason } from '@davit/contracts';
import type { EngineMetrics } from '../metrics/names.js';

/** A path of an engine, and whether it wants the worker key there. */
export type EnginePath = { readonly path: string; readonly needsKey: boolean };

/**
 * What the prober must know of a kind of model server; everything else is the same for all. A new engine is a folder beside
 * this file, with such a value in it, and a line in the registry.
 */
export type Engine = {
  readonly id: string;
  /** Null where the list of models is the only sign of life that can be counted on. */
  readonly health:
    (EnginePath & { /** A shorter limit takes a busy server for a dead one. */ readonly minTimeoutMs: number }) | null;
  readonly models: EnginePath;
  /** Whether it answers before its model is loaded. One that does not refuses connections until then. */
  readonly listensWhileLoading: boolean;
  /** How it says what a status alone does not; the first that fits counts. */
  readonly answers: readonly AnswerRule[];
  /** Asked before an inference: one sent to a server that sleeps stalls it, or ends it. */
  readonly sleep:
    | (EnginePath & {
        /** Undefined where the body is no answer to the question. */ readonly isAsleep: (
          body: unknown,
        ) => boolean | undefined;
      })
    | null;
  /** Whether an answer carries a name that its list of models has; others write what the model is called elsewhere. */
  readonly answersByListedName: boolean;
  /** What a card in its list of models tells of the model. */
  readonly card: (card: ModelCard) => { readonly contextLength?: number };
  /**
   * Whether adapters stand in its list of models. Where they do in some releases only, a list that shows none tells nothing;
   * where they never do, nobody knows which it has.
   */
  readonly listsAdapters: 'always' | 'some-releases' | 'never';
  /** Where it tells its version, or its context length; asked once for each proof. */
  readonly about: (EnginePath & { readonly read: (body: unknown) => EngineFacts }) | null;
  readonly metrics: EngineMetrics | null;
};

/** What an answer means. All that is given must fit. */
export type AnswerRule = {
  readonly on: 'health' | 'inference' | 'any';
  readonly statuses: readonly number[];
  readonly body?: RegExp;
  /** `start`: before it was ever ready; `steady`: after that. */
  readonly phase?: ProbePhase;
  readonly reason: UnreadyReason;
  readonly says: string;
};

export type ProbePhase = 'start' | 'steady';

/** One row of `GET /v1/models`. What else stands in it is not read. */
export type ModelCard = {
  readonly id: string;
  /** Of an adapter, the model it belongs to. */
  readonly parent?: string | null | undefined;
  readonly max_model_len?: number | null | undefined;
};

export type EngineFacts = { readonly engineVersion?: string; readonly contextLength?: number };

/** Most servers write the context length of a model on its card, under vLLM's name. */
export const contextOnCard = ({ max_model_len: length }: ModelCard): { readonly contextLength?: number } =>
  typeof length === 'number' && Number.isSafeInteger(length) && length > 0 ? { contextLength: length } : {};
