/** What a vLLM command line settles. */
export interface ModelServerConfig {
  readonly servedModelNames: readonly string[];
  /** The model path or hub name. */
  readonly root: string;
  readonly maxModelLen: number;
  /** Digest of the API key, with its salt; null when none is required. */
  readonly apiKey: { readonly salt: string; readonly sealed: string } | null;
  /** From start until the port opens. */
  readonly loadMs: number;
  readonly firstTokenMs: number;
  readonly tokenMs: number;
  /** Requests that run at once; the rest wait. */
  readonly maxRunning: number;
  readonly version: string;
}

export const MODEL_SERVER_DEFAULTS = {
  maxModelLen: 8192,
  firstTokenMs: 8,
  tokenMs: 2,
  maxRunning: 16,
  version: '0.11.0',
} as const;

/** What is wrong with a model server, switchable while it runs. */
export type ModelFault =
  | { readonly kind: 'none' }
  /** Health stays 200, completions never answer, counters stand still. */
  | { readonly kind: 'hang' }
  /** 503 for `ms` (default 5 000), then the process exits. */
  | { readonly kind: 'dead-engine'; readonly ms?: number }
  | { readonly kind: 'wrong-model'; readonly model: string }
  | { readonly kind: 'crash' }
  | { readonly kind: 'slow-health'; readonly ms: number }
  | { readonly kind: 'sleeping'; readonly level: 1 | 2 }
  /** Metrics without any engine family. */
  | { readonly kind: 'stats-off' }
  | { readonly kind: 'metrics-cut' }
  /** Every path answers 200 with a page of HTML, as a proxy does. */
  | { readonly kind: 'placeholder' }
  /** Every path answers 503 "currently scaling". */
  | { readonly kind: 'scaling' }
  | { readonly kind: 'completions-fail' };
