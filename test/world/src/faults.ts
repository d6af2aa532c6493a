import { pause, type WorldClock } from './clock.js';
import { type ServerChange } from './model-server/config.js';
import { type ModelFault } from './model-server/faults.js';
import {
  isObject,
  json,
  objectBody,
  text,
  wholeBody,
  type JsonObject,
  type WireHandler,
  type WireReply,
  type WireRequest,
} from './http/wire.js';

export type FaultService = 'sky' | 'runpod' | 'vast-console' | 'vast-run' | 'vast-openai' | 'vast-worker';

/** Reasons for which a `sky launch` request fails after it was accepted. */
export type LaunchFailure =
  | 'no-capacity'
  | 'infeasible'
  | 'quota'
  | 'credentials'
  | 'image-missing'
  | 'image-pull-interrupted'
  | 'disk-full'
  | 'ssh-timeout'
  | 'owner-mismatch'
  | 'stuck';

export type FaultEffect =
  | { readonly kind: 'latency'; readonly ms: number }
  /** The effect happens; the caller never learns: the client is killed, or the connection cut. */
  | { readonly kind: 'lost-reply' }
  /** The caller is killed or cut off before anything happened. */
  | { readonly kind: 'lost-request' }
  /** The effect happens; the caller waits for ever (a command ignores SIGTERM). */
  | { readonly kind: 'hang' }
  | { readonly kind: 'refusal'; readonly reason: 'unreachable' | 'auth' | 'version' | 'permission' }
  /** HTTP only: this status instead of the effect. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: string;
      readonly contentType?: string;
      readonly retryAfterSeconds?: number;
    }
  /** HTTP only: the effect happens, and this status is the answer. */
  | { readonly kind: 'status-after'; readonly status: number; readonly body?: string }
  /** RunPod's GraphQL: answered with 200 and these errors; the field that `path` ends in is null, or without a path all data. */
  | {
      readonly kind: 'graphql-errors';
      readonly message: string;
      readonly code?: string;
      readonly path?: readonly (string | number)[];
    }
  | { readonly kind: 'malformed'; readonly how: 'truncate' | 'garbage' | 'noise' | 'huge' }
  /** `sky launch`: the cluster row appears only after this long. */
  | { readonly kind: 'late-visibility'; readonly ms: number }
  | { readonly kind: 'launch-fails'; readonly reason: LaunchFailure; readonly text?: string; readonly log?: string }
  /** `sky launch`: the row vanishes once the machine runs; the machine stays and bills. */
  | { readonly kind: 'row-lost' }
  /** `sky launch`: two machines are rented under the one name; the row knows the first (skypilot #9117). */
  | { readonly kind: 'machine-doubled' }
  /** `sky launch`: what the task's own log holds from then on. */
  | { readonly kind: 'job-log'; readonly text: string }
  /** `sky launch`: the port is never published. */
  | { readonly kind: 'endpoint-never' }
  /** `sky launch`: the model server that comes of it has this fault from its start. */
  | { readonly kind: 'server-fault'; readonly fault: ModelFault }
  /** `sky launch`: the model server that comes of it is another than the task tells. */
  | { readonly kind: 'server-change'; readonly change: ServerChange }
  /** `sky launch`: the request is carried out twice. */
  | { readonly kind: 'duplicate-request' }
  /** `sky down`: prints a failure, exits 0, nothing is deleted. */
  | { readonly kind: 'down-lies' }
  /** `sky down`: the row goes, the machine stays. */
  | { readonly kind: 'row-removed-machine-stays' };

export interface FaultRule {
  readonly service: FaultService;
  /** For `sky` the verb (`launch`, `api status`, `status --endpoint`, …); for HTTP `METHOD /path`. `*` is a wildcard. Absent: any. */
  readonly verb?: string;
  /** Cluster name, or text that the URL or body contains. `*` is a wildcard. Absent: any. */
  readonly name?: string;
  /** Begins at this matching call, counted from 1. */
  readonly nth?: number;
  /** How many calls are hit. Default 1. */
  readonly count?: number;
  readonly effect: FaultEffect;
}

interface ArmedRule {
  readonly id: number;
  readonly rule: FaultRule;
  seen: number;
  left: number;
}

/** The faults that are armed, each used up by the calls it hits. */
export class FaultBook {
  private armed: ArmedRule[] = [];
  private lastId = 0;

  add(rule: FaultRule): number {
    this.lastId += 1;
    this.armed.push({ id: this.lastId, rule, seen: 0, left: rule.count ?? 1 });
    return this.lastId;
  }

  clear(): void {
    this.armed = [];
  }

  list(): readonly { readonly id: number; readonly rule: FaultRule; readonly left: number }[] {
    return this.armed.map(({ id, rule, left }) => ({ id, rule, left }));
  }

  /** The effects that hit this call. */
  take(service: FaultService, verb: string, name: string): readonly FaultEffect[] {
    const effects: FaultEffect[] = [];
    for (const armed of this.armed) {
      const { rule } = armed;
      if (rule.service !== service || !matches(rule.verb, verb) || !matches(rule.name, name)) continue;
      armed.seen += 1;
      if (armed.seen < (rule.nth ?? 1) || armed.left <= 0) continue;
      armed.left -= 1;
      effects.push(rule.effect);
    }
    this.armed = this.armed.filter(({ left }) => left > 0);
    return effects;
  }
}

function matches(pattern: string | undefined, value: string): boolean {
  if (pattern === undefined) return true;
  const source = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`, 's').test(value);
}

export const effectOf = <K extends FaultEffect['kind']>(
  effects: readonly FaultEffect[],
  kind: K,
): Extract<FaultEffect, { kind: K }> | undefined =>
  effects.find((effect): effect is Extract<FaultEffect, { kind: K }> => effect.kind === kind);

/** Puts the armed faults of one HTTP service in front of its handler. */
export const withFaults =
  (service: FaultService, faults: FaultBook, clock: WorldClock, handler: WireHandler): WireHandler =>
  async (request) => {
    const effects = faults.take(service, `${request.method} ${request.url.pathname}`, subject(request));
    const latency = effectOf(effects, 'latency');
    if (latency) await pause(clock, latency.ms, request.signal);
    const refusal = refusedReply(effects);
    if (refusal) return refusal;
    const reply = await handler(request);
    if (effectOf(effects, 'lost-reply')) return { kind: 'reset' };
    if (effectOf(effects, 'hang')) return { kind: 'hang' };
    const after = effectOf(effects, 'status-after');
    if (after) return text(after.status, after.body ?? 'error');
    if (reply.kind !== 'response') return reply;
    const errors = effectOf(effects, 'graphql-errors');
    if (errors) return json(200, withErrors(objectBody(await wholeBody(reply.body)), errors));
    const malformed = effectOf(effects, 'malformed');
    return malformed ? { ...reply, body: distort(await wholeBody(reply.body), malformed.how) } : reply;
  };

/** The body of a GraphQL answer with an error in it. */
function withErrors(
  body: JsonObject | undefined,
  { message, code = 'RUNPOD', path }: Extract<FaultEffect, { kind: 'graphql-errors' }>,
): object {
  const error = { message, ...(path ? { path } : {}), extensions: { code } };
  return { errors: [error], data: path ? nulledAt(body?.['data'], path) : null };
}

function nulledAt(value: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  if (step === undefined) return null;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? nulledAt(item, rest) : item));
  return isObject(value) ? { ...value, [step]: nulledAt(value[step], rest) } : value;
}

const subject = (request: WireRequest): string =>
  `${decodeURIComponent(request.url.pathname)}${request.url.search} ${request.body}`;

function refusedReply(effects: readonly FaultEffect[]): WireReply | undefined {
  if (effectOf(effects, 'lost-request')) return { kind: 'reset' };
  const refusal = effectOf(effects, 'refusal');
  if (refusal?.reason === 'unreachable') return { kind: 'refused' };
  if (refusal) return text(refusal.reason === 'permission' ? 403 : 401, 'access denied');
  const status = effectOf(effects, 'status');
  if (!status) return undefined;
  const body = status.body ?? (status.status === 429 ? 'API requests too frequent' : 'error');
  const reply = text(status.status, body, status.contentType);
  if (status.retryAfterSeconds === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(status.retryAfterSeconds) } };
}

/** Damages output in the way asked for. */
export function distort(output: string, how: Extract<FaultEffect, { kind: 'malformed' }>['how']): string {
  switch (how) {
    case 'truncate':
      return output.slice(0, Math.floor(output.length / 2));
    case 'garbage':
      return '<html><body>upstream error</body></html>';
    case 'noise':
      return `\u001b[33mA newer version of the client is available.\u001b[0m\n\n${output}`;
    case 'huge':
      return output + ' '.repeat(12 * 1024 * 1024);
  }
}
