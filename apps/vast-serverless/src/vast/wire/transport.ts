import type { Clock, HttpClient, HttpRequest, Random } from '@davit/ports';
import { CALLS_UNHEARD, type OnProviderCall } from '@davit/provider-kit';
import type { z } from 'zod';
import type { VastSettings } from '../settings.js';
import { Pacer } from './pacer.js';
import { endOf, judge, type Reading, type Refusal, type Reply } from './reply.js';
import { type KeyName, keyOf, type Route, ROUTES } from './routes.js';

const MAX_ATTEMPTS = 5;
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Wait where neither the service nor its published table says any: at most this, doubled with each attempt. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Where each key is set. */
export const KEY_VARIABLES: Readonly<Record<KeyName, string>> = {
  rollout: 'VAST_API_KEY',
  templates: 'VAST_TEMPLATE_API_KEY',
  emergency: 'VAST_EMERGENCY_API_KEY',
};

export interface TransportParts {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: VastSettings;
  /** Told of each call. */
  readonly onCall?: OnProviderCall;
}

export interface Call<Schema extends z.ZodType> extends Reading {
  readonly route: Route;
  /** With its closing slash and its query, exactly as documented; no key is ever in it. */
  readonly path: string;
  readonly schema: Schema;
  readonly body?: object;
  /** Longest time for everything: turns, waits, exchanges. Default {@link VastSettings.patienceMs}. */
  readonly patienceMs?: number;
}

/**
 * One call of Vast's, repeated only when it was refused for coming too soon, which is before anything happened: nothing
 * else is repeated here, and nothing above repeats on 429. The key travels in the header alone.
 */
export class Transport {
  private readonly pacer: Pacer;
  private readonly onCall: OnProviderCall;

  constructor(private readonly parts: TransportParts) {
    this.pacer = new Pacer(parts.clock, parts.settings.paceScale);
    this.onCall = parts.onCall ?? CALLS_UNHEARD;
  }

  async call<Schema extends z.ZodType>(call: Call<Schema>): Promise<Reply<z.output<Schema>>> {
    const { clock, settings } = this.parts;
    const key = this.keys[keyOf(call.route)];
    if (key === '') return noKey(call.route);
    const deadlineMs = clock.monotonicMs() + (call.patienceMs ?? settings.patienceMs);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (!(await this.pacer.turn(call.route, deadlineMs - clock.monotonicMs()))) break;
      const leftMs = deadlineMs - clock.monotonicMs();
      if (leftMs <= 0) break;
      const reply = await this.exchange(call, key, Math.min(settings.timeoutMs, leftMs));
      if (reply.kind !== 'throttled')
        return reply.kind === 'confirmed' ? shaped(call, reply.value) : named(call, reply);
      this.pacer.hold(call.route, reply.waitMs ?? this.ownWaitMs(call.route, attempt));
    }
    return { kind: 'unknown', detail: `${call.route} was put off: too many calls` };
  }

  private async exchange(call: Call<z.ZodType>, key: string, timeoutMs: number) {
    const { http, clock } = this.parts;
    const startedMs = clock.monotonicMs();
    const secrets = [...Object.values(this.keys), ...(call.secrets ?? [])];
    const reply = judge(await http.request(this.request(call, key, timeoutMs)), {
      ...{ ...call, secrets },
      nowMs: clock.nowMs(),
    });
    this.onCall({ call: call.route, ...endOf(reply), seconds: (clock.monotonicMs() - startedMs) / 1_000 });
    return reply;
  }

  /** The published interval, longer each time; where none is published, exponential with full jitter. */
  private ownWaitMs(route: Route, attempt: number): number {
    const intervalMs = this.pacer.intervalMs(route);
    if (intervalMs !== null) return intervalMs * attempt;
    return this.parts.random.next() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  }

  private get keys(): Readonly<Record<KeyName, string>> {
    const { apiKey, templateKey, emergencyKey } = this.parts.settings;
    return { rollout: apiKey, templates: templateKey, emergency: emergencyKey };
  }

  private request({ route, path, body }: Call<z.ZodType>, key: string, timeoutMs: number): HttpRequest {
    const [method = ''] = route.split(' ');
    const { consoleUrl, runUrl } = this.parts.settings;
    const base = path.startsWith('/api/') ? consoleUrl : runUrl;
    return {
      // Routes are written as method and name.
      method: method as HttpRequest['method'],
      url: `${base.replace(/\/+$/, '')}${path}`,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
      maxBytes: MAX_BODY_BYTES,
    };
  }
}

function shaped<Schema extends z.ZodType>(call: Call<Schema>, value: unknown): Reply<z.output<Schema>> {
  const parsed = call.schema.safeParse(value);
  if (parsed.success) return { kind: 'confirmed', value: parsed.data };
  return { kind: 'unknown', detail: `the answer to ${call.route} has another form than expected` };
}

function noKey(route: Route): Refusal {
  const variable = KEY_VARIABLES[keyOf(route)];
  const detail = `${variable} is not set; set it where vast-serverless runs`;
  return { kind: 'refused', class: 'auth', cause: 'credential', permission: null, status: 401, detail };
}

/** A refusal for want of a permission says which one the call needs, and that a lack of money can look the same. */
function named<Value>({ route }: Call<z.ZodType>, reply: Exclude<Reply<Value>, { kind: 'confirmed' }>): Reply<Value> {
  if (reply.kind !== 'refused' || reply.cause !== 'permission') return reply;
  const { permission } = ROUTES[route];
  const group = reply.permission ?? (permission === 'engine' ? null : permission);
  const said = reply.permission === null ? ', or the account has no deposit' : '';
  const needs = group === null ? 'the key may not do this' : `the key lacks the permission ${group}`;
  return { ...reply, permission: group, detail: `${reply.detail} (${route}: ${needs}${said})` };
}
