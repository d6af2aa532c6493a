import { isObject } from '../http/wire.js';
import { type Endpoint, type Template, type Worker, type Workergroup } from './entities.js';
import { type Scope } from './scopes.js';

/** What goes wrong at Vast beyond single calls; see the table in this package's README. Times are milliseconds. */
export type VastFault =
  /** Pull and load take so many times as long. */
  | { readonly kind: 'slow-load'; readonly factor: number }
  /** The model is never loaded: error, reboot, and another host after the third time. */
  | { readonly kind: 'never-loads' }
  /** No offer is found, so that no worker ever comes. */
  | { readonly kind: 'no-offers' }
  /** The host goes and another worker with another id is rented. Happens once, at the next look of the engine. */
  | { readonly kind: 'host-vanishes' }
  /** `idle`, and its port is closed. */
  | { readonly kind: 'unreachable' }
  /** A stopped worker never starts again; requests wait. */
  | { readonly kind: 'stranded' }
  /** In a rolling update: stays in `update_ready` for ever, or is passed over and stays `idle` on the old template. */
  | { readonly kind: 'stuck-update'; readonly at?: 'update_ready' | 'idle' }
  /** Goes through every step of the update and comes back `idle` on the old template. */
  | { readonly kind: 'update-skips' }
  /** The update does not wait for the requests that run. */
  | { readonly kind: 'no-drain' }
  /** `idle`, and answers 500. */
  | { readonly kind: 'false-idle' }
  /** Every signature is found wrong, as by a worker of another version. */
  | { readonly kind: 'signature-refused' }
  | { readonly kind: 'worker-busy' }
  /** Each answer takes so much longer; `rampMs` has it grow to that from the moment the fault is armed. */
  | { readonly kind: 'latency'; readonly ms: number; readonly rampMs?: number }
  /** Answers 200 with another schema, with no text, in the name of another model, with a text that is wrong, or with another last word. */
  | { readonly kind: 'wrong-output'; readonly how?: 'schema' | 'empty' | 'model' | 'text' | 'wording' }
  /** Every so many answers one is a 500. */
  | { readonly kind: 'errors'; readonly every: number }
  /** Throughput is so many times what it was. */
  | { readonly kind: 'perf'; readonly factor: number }
  /** With `cold_workers` = `max_workers` = 1 the engine destroys the worker it has and rents another, again and again. */
  | { readonly kind: 'flap' }
  /** The worker's reports do not arrive: the engine takes it for unused and stops it in the middle of its work. */
  | { readonly kind: 'reports-lost' }
  /** Every call to both hosts is refused as too frequent for so long. */
  | { readonly kind: 'rate-storm'; readonly forMs: number }
  /** Keys lack this permission, whatever they were made with. */
  | { readonly kind: 'scope-missing'; readonly scope: Scope }
  /** The account has nothing left: workers stop, nothing is rented. */
  | { readonly kind: 'no-credit' }
  /** Logs are wiped at once and as long as this holds. */
  | { readonly kind: 'logs-wiped' }
  /** `loaded_at` is so far off. */
  | { readonly kind: 'clock-skew'; readonly ms: number };

export type VastFaultKind = VastFault['kind'];

/** Whom a fault hits; everything that is given must hold, nothing given means everybody. */
export interface VastTarget {
  /** Any name of the GPU that the offer has, as the worker's machine tells it. */
  readonly gpu?: string;
  readonly worker?: number;
  /** Id, hash or name of the template that runs, or in an update of the one that comes. */
  readonly template?: number | string;
  readonly workergroup?: number;
  readonly endpoint?: number | string;
}

export type VastFaultRule = VastFault & {
  readonly on?: VastTarget;
  /** At most so many workers are hit: the first that would be. */
  readonly workers?: number;
};

/** A record, so that the compiler misses none; the fields each kind must have. */
const REQUIRED: Readonly<Record<VastFaultKind, readonly string[]>> = {
  'slow-load': ['factor'],
  'never-loads': [],
  'no-offers': [],
  'host-vanishes': [],
  unreachable: [],
  stranded: [],
  'stuck-update': [],
  'update-skips': [],
  'no-drain': [],
  'false-idle': [],
  'signature-refused': [],
  'worker-busy': [],
  latency: ['ms'],
  'wrong-output': [],
  errors: ['every'],
  perf: ['factor'],
  flap: [],
  'reports-lost': [],
  'rate-storm': ['forMs'],
  'scope-missing': ['scope'],
  'no-credit': [],
  'logs-wiped': [],
  'clock-skew': ['ms'],
};

export const VAST_FAULT_KINDS: readonly string[] = Object.keys(REQUIRED);

/** Checks kind and required fields; the rest is the test author's care. */
export function vastFaultRule(value: unknown): VastFaultRule | string {
  const kind = isObject(value) ? value['kind'] : undefined;
  if (!isObject(value) || typeof kind !== 'string' || !Object.hasOwn(REQUIRED, kind))
    return `kind must be one of ${VAST_FAULT_KINDS.join(', ')}`;
  const missing = REQUIRED[kind as VastFaultKind].find((name) => value[name] === undefined);
  if (missing !== undefined) return `a fault "${kind}" needs "${missing}"`;
  return value as unknown as VastFaultRule; // its kind and its fields were just checked
}

interface Armed {
  readonly id: number;
  readonly rule: VastFaultRule;
  readonly atMs: number;
  readonly hit: Set<number>;
}

/** Everything a fault can be aimed at. */
export interface Aim {
  readonly worker?: Worker;
  readonly template?: Template;
  readonly group?: Workergroup;
  readonly endpoint?: Endpoint;
}

type Of<K extends VastFaultKind> = Extract<VastFaultRule, { kind: K }>;

/** The faults that hold at present. */
export class Defects {
  private armed: Armed[] = [];
  private lastId = 0;

  constructor(
    private readonly nowMs: () => number,
    private readonly changed: () => void,
  ) {}

  add(rule: VastFaultRule): number {
    this.lastId += 1;
    this.armed.push({ id: this.lastId, rule, atMs: this.nowMs(), hit: new Set() });
    this.changed();
    return this.lastId;
  }

  /** Ends one fault, or all. */
  clear(id?: number): void {
    this.armed = id === undefined ? [] : this.armed.filter((armed) => armed.id !== id);
    this.changed();
  }

  list(): readonly (VastFaultRule & { readonly id: number; readonly hit: readonly number[] })[] {
    return this.armed.map(({ id, rule, hit }) => ({ ...rule, id, hit: [...hit] }));
  }

  /** The first fault of a kind that hits this. */
  get<K extends VastFaultKind>(kind: K, aim: Aim = {}): Of<K> | undefined {
    return this.find(kind, aim)?.rule as Of<K> | undefined; // found by its kind
  }

  has(kind: VastFaultKind, aim: Aim = {}): boolean {
    return this.find(kind, aim) !== undefined;
  }

  /** As `get`, and how long it has held. */
  since<K extends VastFaultKind>(
    kind: K,
    aim: Aim = {},
  ): { readonly fault: Of<K>; readonly forMs: number } | undefined {
    const armed = this.find(kind, aim);
    return armed && { fault: armed.rule as Of<K>, forMs: this.nowMs() - armed.atMs }; // found by its kind
  }

  /** As `get`, and it holds no longer. */
  take<K extends VastFaultKind>(kind: K, aim: Aim = {}): Of<K> | undefined {
    const armed = this.find(kind, aim);
    if (armed && (armed.rule.workers === undefined || armed.hit.size >= armed.rule.workers))
      this.armed = this.armed.filter((other) => other !== armed);
    return armed?.rule as Of<K> | undefined; // found by its kind
  }

  private find(kind: VastFaultKind, aim: Aim): Armed | undefined {
    return this.armed.find((armed) => armed.rule.kind === kind && isHit(armed, aim));
  }
}

function isHit({ rule, hit }: Armed, aim: Aim): boolean {
  const { on = {}, workers } = rule;
  if (!aimsAt(on, aim)) return false;
  if (workers === undefined || !aim.worker) return true;
  if (hit.has(aim.worker.id)) return true;
  if (hit.size >= workers) return false;
  hit.add(aim.worker.id);
  return true;
}

function aimsAt(on: VastTarget, { worker, template = worker?.template, group, endpoint }: Aim): boolean {
  const endpointIds = [worker?.endpointId, endpoint?.id, endpoint?.endpoint_name];
  return (
    isAmong(on.worker, [worker?.id]) &&
    isAmong(on.workergroup, [worker?.groupId, group?.id]) &&
    isAmong(on.endpoint, endpointIds) &&
    isAmong(on.gpu, [worker?.machine?.accelerator]) &&
    isAmong(on.template, [template?.id, template?.hash, template?.fields['name']])
  );
}

const isAmong = (named: number | string | undefined, names: readonly unknown[]): boolean =>
  named === undefined || names.includes(named);
