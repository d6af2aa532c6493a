import { type WorldClock, type WorldRandom } from '../clock.js';
import { type Cloud } from '../cloud/cloud.js';
import { bearerOf, json, text, type WireReply, type WireRequest } from '../http/wire.js';
import { type WorldTimings } from '../timings.js';
import { bundles } from './bundles.js';
import { endpoints, instances, templates, workergroups, type VastParts } from './console.js';
import { VastEngine } from './engine.js';
import { VAST_DEFAULTS, type VastOptions } from './options.js';
import { Pacing } from './rate.js';
import { runHost } from './run.js';
import { VastStore } from './store.js';

export type { VastOptions } from './options.js';

/** A template that exists from the start. Its hash follows from its content, so it is the same in every world. */
const STANDARD_TEMPLATE = {
  name: 'vLLM (serverless)',
  image: 'vllm/vllm-openai',
  tag: 'v0.11.0',
  env: '-p 8000:8000 -e VLLM_MODEL=Qwen/Qwen3-8B -e VLLM_ARGS="--served-model-name qwen3-8b Qwen/Qwen3-8B --port 8000"',
  onstart: '',
  runtype: 'args',
  args_str: '',
  recommended_disk_space: 40,
};

/** Vast.ai Serverless: the console that takes orders and the engine that carries them out. */
export class Vast {
  readonly store: VastStore;
  readonly engine: VastEngine;
  /** The switches may be turned while it runs. */
  readonly options: { -readonly [K in keyof VastOptions]: VastOptions[K] };
  readonly standardTemplateHash: string;
  private readonly pacing: Pacing;
  private readonly parts: VastParts;

  constructor(
    private readonly cloud: Cloud,
    clock: WorldClock,
    random: WorldRandom,
    timings: WorldTimings,
    options: Pick<VastOptions, 'apiKey' | 'salt'> & Partial<VastOptions>,
  ) {
    this.options = { ...VAST_DEFAULTS, ...options };
    this.store = new VastStore(clock, random);
    this.engine = new VastEngine(this.store, cloud, timings, this.options.salt);
    this.pacing = new Pacing(this.options);
    this.parts = { store: this.store, engine: this.engine, cloud, options: this.options };
    this.standardTemplateHash = this.store.putTemplate(STANDARD_TEMPLATE).hash;
  }

  /** Every key that opens something here. */
  secrets(): readonly string[] {
    return [...this.store.endpoints.values(), ...this.store.groups.values()].map(({ api_key }) => api_key);
  }

  /** The host `console.vast.ai`. */
  console(request: WireRequest): Promise<WireReply> {
    return Promise.resolve(this.consoleReply(request));
  }

  /** The host `run.vast.ai`. */
  run(request: WireRequest): Promise<WireReply> {
    return Promise.resolve(runHost(this.parts, request));
  }

  /** The host `openai.vast.ai`: `/<endpoint name>/v1/…`, passed on to a ready worker. */
  async openai(request: WireRequest): Promise<WireReply> {
    const [, name = '', ...rest] = request.url.pathname.split('/');
    const endpoint = this.store.endpointBy(undefined, decodeURIComponent(name));
    const key = bearerOf(request);
    if (key !== this.options.apiKey && key !== endpoint?.api_key) return json(401, { error: 'Unauthorized' });
    if (!endpoint) return json(404, { error: 'Endpoint not found' });
    this.engine.demand(endpoint, 100);
    const worker = this.store
      .workersOf({ endpointId: endpoint.id })
      .filter(({ status }) => status === 'idle')
      .sort((a, b) => a.lastUsedMs - b.lastUsedMs)[0];
    if (!worker?.machine) return text(503, 'No workers available');
    worker.lastUsedMs = this.store.clock.nowMs();
    const path = `/${rest.join('/')}${request.url.search}`;
    return this.cloud.request(worker.machine, { ...request, path });
  }

  private consoleReply(request: WireRequest): WireReply {
    const key = bearerOf(request);
    if (key === undefined)
      return json(403, { success: false, error: 'auth_error', msg: 'This action requires login.' });
    if (key !== this.options.apiKey)
      return json(this.options.unknownKey, { success: false, error: 'auth_error', msg: 'Invalid user key' });
    const [, api, version, resource = '', idText = ''] = request.url.pathname.split('/');
    if (api !== 'api' || (version !== 'v0' && version !== 'v1'))
      return json(404, { success: false, error: 'not_found' });
    const name = resource === 'autojobs' ? 'workergroups' : resource;
    const refusal = this.pacing.refusal(request, name, this.store.clock.nowMs());
    if (refusal) return refusal;
    const id = /^\d+$/.test(idText) ? Number(idText) : undefined;
    switch (name) {
      case 'endptjobs':
        return endpoints(this.parts, request, id);
      case 'workergroups':
        return workergroups(this.parts, request, id);
      case 'template':
        return templates(this.parts, request);
      case 'instances':
        return instances(this.parts, request, id);
      case 'bundles':
        return request.method === 'POST'
          ? bundles(this.cloud, this.store.clock.nowMs(), request)
          : json(405, { success: false, error: 'method_not_allowed' });
      case 'benchmarks':
        return json(200, { success: true, results: [] });
      default:
        return json(404, { success: false, error: 'not_found' });
    }
  }
}
