import {
  type Clock,
  type HttpOutcome,
  type HttpRequest,
  type LogFields,
  type Logger,
  seededRandom,
  sleep,
  VirtualClock,
} from '@davit/ports';
import { VastClient } from '../../vast/client.js';
import { DEFAULT_VAST_SETTINGS } from '../../vast/settings.js';
import type { LoadParts, LoadTarget } from '../load-parts.js';
import type { Prompt } from '../prompts/prompt.js';
import { timedHttp } from './timed-http.js';

export const SECRETS = {
  key: 'rollout-key-canary-5f0c2b7a91',
  signature: 'c2lnbmF0dXJlLWNhbmFyeS0wMTIzNDU2Nzg5',
  prompt: 'the-prompt-text-canary',
  answer: 'the-answer-text-canary',
};

export const TARGET: LoadTarget = { endpointId: 7, endpointName: 'davit-canary', servedName: 'qwen3-8b' };

export const chatAnswer = (text: string = SECRETS.answer): object => ({
  id: 'x',
  object: 'chat.completion',
  model: 'qwen3-8b',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: { completion_tokens: 8 },
});

export const prompt = (id: string, recorded: object | null = chatAnswer()): Prompt => ({
  id,
  path: '/v1/chat/completions',
  payload: { max_tokens: 16, messages: [{ role: 'user', content: `${SECRETS.prompt} ${id}` }] },
  cost: 16,
  recorded: recorded === null ? null : JSON.stringify(recorded),
});

export interface FakeWorker {
  readonly id: number;
  status: string;
  loadedAt: number;
  /** USD an hour, as JSON writes it. */
  hourly: string;
  templateId: number;
  /** False: connections to it are refused. */
  isListening: boolean;
  /** What it answers, when it does; a promise that never settles is a worker that hangs. */
  answer: (request: HttpRequest) => Promise<HttpOutcome>;
}

export const reply = (status: number, body: object | string = ''): HttpOutcome => ({
  kind: 'response',
  ...{ status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) },
});
const failed = (reason: 'refused' | 'reset'): HttpOutcome => ({ kind: 'failure', reason, detail: '' });
export const reset = failed('reset');

/** An engine and workers in this process, on virtual time: each as good or bad as a test wants it. */
export class LoadRig {
  readonly clock = new VirtualClock();
  readonly requests: HttpRequest[] = [];
  readonly logged: { readonly fields: LogFields; readonly message: string }[] = [];
  readonly workers: FakeWorker[] = [];
  /** Null: the engine does not say. */
  listsWorkers = true;
  /** Does the engine know the endpoint already. */
  isKnown = true;
  private turn = 0;
  private index = 100;

  worker(more: Partial<FakeWorker> = {}): FakeWorker {
    const worker: FakeWorker = {
      id: this.workers.length + 1,
      ...{ status: 'idle', loadedAt: this.clock.nowMs() / 1_000, hourly: '0.36', templateId: 5, isListening: true },
      answer: () => this.after(200, reply(200, chatAnswer())),
      ...more,
    };
    this.workers.push(worker);
    return worker;
  }

  async after(ms: number, outcome: HttpOutcome): Promise<HttpOutcome> {
    await sleep(this.clock, ms);
    return outcome;
  }

  get parts(): LoadParts {
    const { clock, logged } = this;
    const http = timedHttp(clock, (request) => this.respond(request));
    const random = seededRandom(3);
    const settings = { ...DEFAULT_VAST_SETTINGS, apiKey: SECRETS.key, paceScale: 0 };
    const note = (fields: LogFields, message: string): void => void logged.push({ fields, message });
    const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
    return { ...{ clock, http, random, logger }, client: new VastClient({ clock, http, random, settings }) };
  }

  /** Lets time pass until the promise has settled. */
  async drive<Value>(promise: Promise<Value>, limitMs = 4 * 3_600_000): Promise<Value> {
    const state = { settled: false };
    void promise.finally(() => (state.settled = true)).catch(() => undefined);
    const ended = await this.clock.runUntil(() => state.settled, limitMs);
    if (!ended) throw new Error(`it did not end within ${limitMs} ms`);
    return promise;
  }

  at(ms: number, action: () => void): void {
    (this.clock as Clock).schedule(ms, action);
  }

  private respond(request: HttpRequest): Promise<HttpOutcome> {
    this.requests.push(request);
    const { pathname, hostname } = new URL(request.url);
    if (hostname === 'run.vast.ai') return Promise.resolve(this.engine(pathname, request));
    if (pathname.startsWith('/api/v1/instances')) return Promise.resolve(this.instances());
    if (pathname.startsWith('/api/v0/charges')) return Promise.resolve(reply(200, { success: true, results: [] }));
    const worker = this.workers.find(({ id }) => hostname === address(id));
    return worker?.isListening === true ? worker.answer(request) : Promise.resolve(failed('refused'));
  }

  private engine(pathname: string, request: HttpRequest): HttpOutcome {
    if (pathname === '/get_endpoint_workers/') {
      if (!this.listsWorkers) return reply(200, { error_msg: 'not ready' });
      const rows = this.workers.map(({ id, status, loadedAt }) => ({
        id,
        status,
        loaded_at: loadedAt,
        measured_perf: 900,
      }));
      return reply(200, rows);
    }
    if (!this.isKnown) return reply(200, { endpoint: TARGET.endpointName, status: 'no workers' });
    const asked = JSON.parse(request.body ?? '{}') as { request_idx: number; cost: number };
    const request_idx = asked.request_idx === 0 ? ++this.index : asked.request_idx;
    const ready = this.workers.filter(({ status }) => status === 'idle');
    const worker = ready[this.turn++ % Math.max(1, ready.length)];
    if (worker === undefined) return reply(200, { endpoint: TARGET.endpointName, status: 'Stopped: 1', request_idx });
    const { signature } = SECRETS;
    const url = `https://${address(worker.id)}:40${worker.id}`;
    return reply(200, {
      endpoint: TARGET.endpointName,
      url,
      cost: asked.cost,
      reqnum: request_idx,
      signature,
      request_idx,
    });
  }

  private instances(): HttpOutcome {
    const rows = this.workers.map(
      ({ id, hourly, templateId }) =>
        `{"id":${id},"actual_status":"running","template_id":${templateId},"gpu_name":"RTX 4090","dph_total":${hourly},` +
        `"public_ipaddr":"${address(id)}","ports":{"3000/tcp":[{"HostIp":"0.0.0.0","HostPort":"40${id}"}]}}`,
    );
    return reply(200, `{"instances":[${rows.join(',')}],"next_token":null}`);
  }
}

const address = (id: number): string => `10.0.0.${id}`;
