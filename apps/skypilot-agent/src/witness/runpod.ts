import type { ErrorClass } from '@davit/contracts';
import type { Clock, HttpClient, HttpOutcome } from '@davit/ports';
import { type DeleteResult, type OnProviderCall, type ProviderCall, redact, SharedLook } from '@davit/provider-kit';
import { Pace, type PaceSettings } from './pace.js';
import { RUNPOD_CALLS, type RunPodCall, type RunPodCallArguments } from './runpod-calls.js';
import { readPods } from './runpod-pods.js';
import type { CloudWitness, WitnessedMachine, WitnessList } from './witness.js';

export interface RunPodWitnessSettings {
  readonly baseUrl: string;
  /** Sent in the Authorization header only. */
  readonly apiKey: string;
  /** One exchange, from connect to last byte. */
  readonly timeoutMs: number;
  readonly pace: PaceSettings;
}

/** RunPod counts 60 calls a minute, 3 000 an hour and 50 000 a day for each user; the advisor has its share of them. */
export const DEFAULT_RUNPOD_WITNESS = {
  baseUrl: 'https://api.runpod.io',
  timeoutMs: 15_000,
  pace: { burst: 20, refillMs: 2_000 },
} as const;

const PAGE = 200;
const MAX_PAGES = 50;
const MAX_BYTES = 16 * 1024 * 1024;
const USUAL_REST_MS = 15_000;
/** RunPod's proxy turns away agents that do not name themselves. */
const USER_AGENT = 'davit-skypilot-agent/0.1';

/** Asks RunPod's REST v2 for its pods. One look serves everybody who asks at that time. */
export function runpodWitness(
  { http, clock, onCall }: { readonly http: HttpClient; readonly clock: Clock; readonly onCall?: OnProviderCall },
  settings: RunPodWitnessSettings,
): CloudWitness {
  const source = 'runpod-v2';
  const pace = new Pace(clock, settings.pace);
  const call = async <Name extends RunPodCall>(
    name: Name,
    ...args: RunPodCallArguments<Name>
  ): Promise<HttpOutcome | 'resting'> => {
    if (!(await pace.turn())) return 'resting';
    const { method, path } = RUNPOD_CALLS[name];
    const startedMs = clock.monotonicMs();
    const outcome = await http.request({
      method,
      // The arguments belong to this very call, which the union of all calls does not show.
      url: `${settings.baseUrl.replace(/\/+$/, '')}${(path as (...given: RunPodCallArguments<Name>) => string)(...args)}`,
      headers: { authorization: `Bearer ${settings.apiKey}`, accept: 'application/json', 'user-agent': USER_AGENT },
      timeoutMs: settings.timeoutMs,
      maxBytes: MAX_BYTES,
    });
    onCall?.({ call: name, ...endOf(outcome), seconds: (clock.monotonicMs() - startedMs) / 1_000 });
    if (outcome.kind === 'response' && outcome.status === 429) pace.rest(outcome.headers['retry-after'], USUAL_REST_MS);
    return outcome;
  };

  const look = async (): Promise<WitnessList> => {
    const machines = new Map<string, WitnessedMachine>();
    let cursor: string | null = null;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const outcome: HttpOutcome | 'resting' = await call('list-pods', PAGE, cursor);
      const trouble = troubleOf(outcome);
      if (trouble !== undefined || outcome === 'resting' || outcome.kind === 'failure')
        return unknown(trouble ?? 'no answer');
      const page = readPods(outcome.body, PAGE, source, new Date(clock.nowMs()).toISOString());
      if (typeof page === 'string') return unknown(page);
      for (const machine of page.machines) machines.set(machine.id, machine);
      if (page.nextCursor === null) return { outcome: 'listed', machines: [...machines.values()] };
      cursor = page.nextCursor;
    }
    return unknown('the list of pods does not end');
  };
  const shared = new SharedLook<WitnessList>(
    () => clock.monotonicMs(),
    look,
    ({ outcome }) => outcome === 'listed',
  );

  return {
    cloud: 'runpod',
    source,
    async list(namePrefix, maxAgeMs) {
      const all = await shared.get(maxAgeMs);
      if (all.outcome === 'unknown') return all;
      return { outcome: 'listed', machines: all.machines.filter(({ name }) => name.startsWith(namePrefix)) };
    },
    async terminate(id) {
      return terminated(id, await call('terminate-pod', id), settings.apiKey);
    },
  };
}

const unknown = (detail: string): { readonly outcome: 'unknown'; readonly detail: string } => ({
  outcome: 'unknown',
  detail: `RunPod cannot be asked for its pods: ${detail}`,
});

/** Why this is no answer; undefined for status 200. */
function troubleOf(outcome: HttpOutcome | 'resting'): string | undefined {
  if (outcome === 'resting') return 'it asked for a pause';
  if (outcome.kind === 'failure') return `${outcome.reason} (${outcome.detail})`;
  const { status } = outcome;
  if (status === 200) return undefined;
  if (isProblem(outcome) && (status === 401 || status === 403)) return `status ${status}; check RUNPOD_API_KEY`;
  return status === 429 ? 'status 429, too many requests' : `status ${status}`;
}

function terminated(id: string, outcome: HttpOutcome | 'resting', apiKey: string): DeleteResult {
  if (outcome === 'resting') return refused('transient', id, 'RunPod asked for a pause');
  if (outcome.kind === 'failure') return unknownEnd(id, outcome.reason);
  const { status } = outcome;
  if (status >= 200 && status < 300) return { outcome: 'accepted', detail: `termination of pod ${id} asked for` };
  if (!isProblem(outcome)) return unknownEnd(id, `status ${status}`);
  if (status === 404) return { outcome: 'accepted', detail: `RunPod has no pod ${id}` };
  const errorClass = CLASSES[status];
  const reason = redact(`status ${status} ${outcome.body}`, [apiKey], 200);
  return errorClass === undefined ? unknownEnd(id, reason) : refused(errorClass, id, reason);
}

/** 409: a member of a cluster, which ends with its cluster only. */
const CLASSES: Readonly<Record<number, ErrorClass>> = {
  400: 'bug',
  401: 'auth',
  403: 'auth',
  409: 'config',
  422: 'bug',
  429: 'transient',
};

function endOf(outcome: HttpOutcome): Pick<ProviderCall, 'outcome' | 'class'> {
  if (outcome.kind === 'failure') return { outcome: 'lost', class: null };
  const { status } = outcome;
  if (status < 300) return { outcome: 'answered', class: null };
  if (status === 404) return { outcome: 'failed', class: 'not-found' };
  return { outcome: 'failed', class: CLASSES[status] ?? (status >= 500 ? 'transient' : 'unknown') };
}

const refused = (errorClass: ErrorClass, id: string, why: string): DeleteResult => ({
  outcome: 'refused',
  class: errorClass,
  detail: `pod ${id} was not terminated: ${why}`,
});

const unknownEnd = (id: string, why: string): DeleteResult => ({
  outcome: 'unknown',
  detail: `whether pod ${id} is being terminated is not known: ${why}`,
});

/** Answers of the API itself; the proxy in front of it answers in HTML or bare text. */
const isProblem = ({ headers }: Extract<HttpOutcome, { kind: 'response' }>): boolean =>
  /json/.test(headers['content-type'] ?? '');
