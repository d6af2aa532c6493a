/** The structure of a JSON value without its contents. */
export type Shape =
  | { readonly kind: 'null' | 'boolean' | 'number' | 'string' }
  | { readonly kind: 'array'; readonly items: readonly Shape[] }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Shape>> };

/** What one answer to a representative request showed. */
export type OutputObservation = {
  /** Names the request: the same in the recorded set and in the observed one. */
  readonly probe: string;
  /** Of the whole answer; null when it was no JSON. */
  readonly shape: Shape | null;
  /** What the answer says that it was made by. */
  readonly model: string | null;
  readonly finishReason: string | null;
  /** The answer itself, for example the content of the message. */
  readonly text: string | null;
  readonly outputTokens: number | null;
};

/** What is held against each other, and by which measure. */
export type ContractPolicy = {
  /** What answers must name as their model; null: what the recorded answers name. */
  readonly expectedModel: string | null;
  /** Length of the text as a factor of the recorded one: between these. */
  readonly lengthBand: { readonly atLeast: number; readonly atMost: number };
  /** Least median over the probes of the Sørensen–Dice coefficient of word pairs; 0: wording does not matter. */
  readonly minSimilarity: number;
  /** Representative requests at least. */
  readonly minProbes: number;
};

export type ContractEvidence = {
  readonly policy: ContractPolicy;
  readonly recorded: readonly OutputObservation[];
  readonly observed: readonly OutputObservation[];
};

export const DEFAULT_CONTRACT_POLICY: ContractPolicy = {
  expectedModel: null,
  lengthBand: { atLeast: 0.25, atMost: 4 },
  minSimilarity: 0.2,
  minProbes: 3,
};
