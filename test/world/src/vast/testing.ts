import { TestWorld, type HttpAnswer } from '../test-world.js';
import { type WorldOptions } from '../world.js';
import { type VastOptions } from './options.js';

const CONSOLE = 'https://console.vast.ai/api/';
const RUN = 'https://run.vast.ai';

export const POLICY = {
  endpoint_name: 'davit-x',
  min_load: 0,
  cold_workers: 1,
  max_workers: 2,
  target_util: 0.9,
  cold_mult: 2.5,
  inactivity_timeout: 600,
};

export type Row = Record<string, unknown>;

/** One endpoint with one workergroup of the standard template. */
export interface Serving {
  readonly endpoint: number;
  readonly group: number;
}

export interface RouteAnswer extends Row {
  readonly url?: string;
  readonly request_idx: number;
}

/** Vast on a clock that tests move, asked as its clients ask it. */
export class VastTest extends TestWorld {
  constructor(vast: Partial<VastOptions> = {}, options: Partial<WorldOptions> = {}) {
    super({ ...options, vast });
  }

  get vast(): TestWorld['world']['vast'] {
    return this.world.vast;
  }

  /** The console's answer, with its status; `/endptjobs/` is of `v0`, `v1/instances/` is not. */
  async ask(
    method: string,
    path: string,
    body: unknown = '',
    key: string | undefined = this.world.keys.vast,
  ): Promise<Row> {
    const url = `${CONSOLE}${path.startsWith('v1/') ? path : `v0${path}`}`;
    const { status, body: text } = this.answered(await this.http(method, url, key, body));
    return { status, ...(text.startsWith('{') ? (JSON.parse(text) as Row) : { text }) };
  }

  async run(path: string, body: unknown, key = this.world.keys.vast): Promise<unknown> {
    return this.json('POST', `${RUN}${path}`, key, body);
  }

  async serve(policy: object = {}, group: object = {}): Promise<Serving> {
    const { result } = await this.ask('POST', '/endptjobs/', { ...POLICY, ...policy });
    const { id, result: other } = await this.ask('POST', '/workergroups/', {
      endpoint_id: result,
      template_hash: this.vast.standardTemplateHash,
      search_params: 'gpu_ram>=24',
      ...group,
    });
    return { endpoint: Number(result), group: Number(id ?? other) };
  }

  /** As `serve`, until its workers are idle. */
  async serving(policy: object = {}): Promise<Serving> {
    const serving = await this.serve(policy);
    await this.clock.advance(5_000);
    return serving;
  }

  workers(endpoint: number): Promise<readonly Row[]> {
    return this.run('/get_endpoint_workers/', { id: endpoint }) as Promise<readonly Row[]>;
  }

  async statuses(endpoint: number): Promise<readonly unknown[]> {
    return (await this.workers(endpoint)).map(({ status }) => status);
  }

  route(body: object = {}): Promise<RouteAnswer> {
    return this.run('/route/', { endpoint: 'davit-x', cost: 100, ...body }) as Promise<RouteAnswer>;
  }

  /** What a worker answers to a call that was routed to it. */
  async call(auth: RouteAnswer, payload: object = CHAT, more: object = {}): Promise<HttpAnswer | string> {
    const body = { auth_data: auth, session_id: null, payload, ...more };
    return this.http('POST', `${auth.url ?? ''}/v1/chat/completions`, undefined, body);
  }

  /** Its status alone, or what else happened to the call. */
  async callStatus(auth: RouteAnswer, payload: object = CHAT, more: object = {}): Promise<number | string> {
    const answer = await this.call(auth, payload, more);
    return typeof answer === 'string' ? answer : answer.status;
  }

  /** A call that is under way: its status once there is one. */
  begin(auth: RouteAnswer, payload: object = CHAT, signal?: AbortSignal): { status: number | string | undefined } {
    const call: { status: number | string | undefined } = { status: undefined };
    const body = JSON.stringify({ auth_data: auth, session_id: null, payload });
    const url = `${auth.url ?? ''}/v1/chat/completions`;
    void this.world
      .handleHttp({ method: 'POST', url, headers: {}, body, signal })
      .then((reply) => (call.status = reply.kind === 'response' ? reply.status : reply.kind));
    return call;
  }

  /** Another model of the same account. */
  async template(name = 'candidate', more: object = {}): Promise<{ readonly id: number; readonly hash_id: string }> {
    const fields = { name, image: 'vllm/vllm-openai', args_str: '--model a/b --served-model-name qwen3-8b', ...more };
    const { template } = await this.ask('POST', '/template/', fields);
    return template as { id: number; hash_id: string };
  }

  async put(serving: Serving, template: { readonly id: number }): Promise<Row> {
    return this.ask('PUT', `/workergroups/${serving.group}/`, {
      endpoint_id: serving.endpoint,
      template_id: template.id,
    });
  }

  update(serving: Serving, more: object = {}): Promise<unknown> {
    return this.run('/update_workers/', { workergroup_id: serving.group, ...more });
  }

  /** Hashes of the templates that really run. */
  running(): readonly string[] {
    return this.vast.truth().workers.map(({ template }) => template.hash);
  }

  private answered(answer: HttpAnswer | string): HttpAnswer {
    if (typeof answer === 'string') throw new Error(answer);
    return answer;
  }
}

export const CHAT = { model: 'qwen3-8b', max_tokens: 80, messages: [{ role: 'user', content: 'hi' }] };
