import { isObject } from '../http/wire.js';

/** What is wrong with a model server, or odd about it; switchable while it runs. */
export type ModelFault =
  | { readonly kind: 'none' }
  /** Health stays 200, completions never answer, requests pile up, counters stand still. */
  | { readonly kind: 'hang' }
  /**
   * Health tells for `ms` (default 5 000), then the process exits. With `status` 200, as the oldest releases have it,
   * it stays for ever unless `ms` is given. Without `status` it is what the server's version answers.
   */
  | { readonly kind: 'dead-engine'; readonly ms?: number; readonly status?: 200 | 500 | 503 }
  | { readonly kind: 'wrong-model'; readonly model: string }
  /** Serves its model under one more name. */
  | { readonly kind: 'second-name'; readonly name: string }
  /** Serves these LoRA adapters beside its model. */
  | { readonly kind: 'lora'; readonly adapters: readonly string[] }
  /** From now on this key is asked for, whatever the launch said. */
  | { readonly kind: 'key-required'; readonly key: string }
  /** Whatever key is shown is wrong. */
  | { readonly kind: 'key-rejected'; readonly status?: 401 | 403 }
  | { readonly kind: 'crash' }
  | { readonly kind: 'slow-health'; readonly ms: number }
  /** Inference takes this long to its first token and to each further one. */
  | { readonly kind: 'slow-inference'; readonly firstTokenMs: number; readonly tokenMs?: number }
  | { readonly kind: 'sleeping'; readonly level: 1 | 2 }
  /** Metrics without any engine family, or no metrics at all where the engine has nothing else to show. */
  | { readonly kind: 'stats-off' }
  /** The body of the metrics ends in the middle of a line. */
  | { readonly kind: 'metrics-cut' }
  /** Every gauge of the engine is NaN. */
  | { readonly kind: 'metrics-nan' }
  /** One label of this many bytes (default 22 MiB) comes before the useful lines. */
  | { readonly kind: 'metrics-huge'; readonly bytes?: number }
  /** Gauges change with a step of the engine only: aborts leave them as they were. */
  | { readonly kind: 'gauges-frozen' }
  /** GET on `path` answers 307 with this address: another path, or a whole URL of another host. */
  | { readonly kind: 'redirect'; readonly path: string; readonly to: string }
  /** Every path answers 200 with a page of HTML, as a proxy does. */
  | { readonly kind: 'placeholder' }
  /** Every path answers 503 "currently scaling". */
  | { readonly kind: 'scaling' }
  | { readonly kind: 'completions-fail' };

/** A record, so that the compiler misses none. */
const KINDS: Readonly<Record<ModelFault['kind'], true>> = {
  none: true,
  hang: true,
  'dead-engine': true,
  'wrong-model': true,
  'second-name': true,
  lora: true,
  'key-required': true,
  'key-rejected': true,
  crash: true,
  'slow-health': true,
  'slow-inference': true,
  sleeping: true,
  'stats-off': true,
  'metrics-cut': true,
  'metrics-nan': true,
  'metrics-huge': true,
  'gauges-frozen': true,
  redirect: true,
  placeholder: true,
  scaling: true,
  'completions-fail': true,
};

export const MODEL_FAULT_KINDS: readonly string[] = Object.keys(KINDS);

/** Checks the kind; the rest of a fault is the test author's care. */
export const isModelFault = (value: unknown): value is ModelFault =>
  isObject(value) && typeof value['kind'] === 'string' && Object.hasOwn(KINDS, value['kind']);

/** The faults a server has at present. */
export class FaultSet {
  private present: readonly ModelFault[] = [];

  replace(faults: readonly ModelFault[]): void {
    this.present = faults;
  }

  get<K extends ModelFault['kind']>(kind: K): Extract<ModelFault, { kind: K }> | undefined {
    return this.present.find((fault): fault is Extract<ModelFault, { kind: K }> => fault.kind === kind);
  }

  has(kind: ModelFault['kind']): boolean {
    return this.present.some((fault) => fault.kind === kind);
  }

  /** Where a GET on this path is sent instead. */
  redirectOf(path: string): string | undefined {
    for (const fault of this.present) if (fault.kind === 'redirect' && fault.path === path) return fault.to;
    return undefined;
  }
}
