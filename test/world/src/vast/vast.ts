import { randomHex, seeded, type WorldClock, type WorldRandom } from '../clock.js';
import { type Cloud } from '../cloud/cloud.js';
import { bearerOf, json, objectBody, text, type WireHandler, type WireReply, type WireRequest } from '../http/wire.js';
import { type WorldTimings } from '../timings.js';
import { consoleHost } from './console/console.js';
import { Pacing } from './console/rate.js';
import { Defects, type VastFaultRule } from './defects.js';
import { VastEngine } from './engine/engine.js';
import { KeyRing } from './keys.js';
import { VAST_DEFAULTS, type VastOptions } from './options.js';
import { type VastParts } from './parts.js';
import { opens } from './run/access.js';
import { runHost } from './run/run.js';
import { type ListCalls } from './run/workers.js';
import { VastStore } from './store.js';
import { vastTruth, type VastTruth } from './truth.js';
import { workloadOf } from './worker/pyworker.js';
import { RouteSigner } from './worker/signer.js';

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

/** One of the vendor's own, which every list shows. */
const PUBLIC_TEMPLATE = {
  name: 'Text Generation Inference',
  image: 'ghcr.io/huggingface/text-generation-inference',
  tag: '2.4.0',
  onstart: '',
  runtype: 'args',
  args_str: '--model-id Qwen/Qwen3-8B',
  recommended_disk_space: 40,
};

/**
 * Vast.ai Serverless: the console that takes orders, the engine that carries them out, and the workers.
 *
 * Made by `createWorld({ vast, timings })`, reached as `world.vast`; its hosts are `world.vastConsole`, `world.vastRun`,
 * `world.vastOpenai`, and each worker's address is in the answer of `/route/`. Tests turn `options`, arm `defects`, and ask
 * `truth()`; a process offers the same under `/vast` of its control interface (see the README).
 */
export class Vast {
  readonly store: VastStore;
  readonly engine: VastEngine;
  /** The switches may be turned while it runs. */
  readonly options: { -readonly [K in keyof VastOptions]: VastOptions[K] };
  /** Faults of workers, offers, templates and hosts. */
  readonly defects: Defects;
  readonly keys: KeyRing;
  readonly standardTemplateHash: string;
  private readonly pacing: Pacing;
  private readonly parts: VastParts;
  private readonly lists: ListCalls = new Map();

  constructor(
    private readonly cloud: Cloud,
    clock: WorldClock,
    random: WorldRandom,
    timings: WorldTimings,
    options: Pick<VastOptions, 'apiKey' | 'salt'> & Partial<VastOptions>,
  ) {
    this.options = { ...VAST_DEFAULTS, ...options };
    // A source of its own, so that what is drawn late does not depend on what others drew meanwhile.
    const own = seeded(Math.floor(random.next() * 0x1_0000_0000));
    this.store = new VastStore(clock, own);
    this.defects = new Defects(
      () => clock.nowMs(),
      () => this.engine.poke(),
    );
    const signer = new RouteSigner(seeded(Math.floor(own.next() * 0x1_0000_0000)), this.options);
    this.keys = new KeyRing(this.store, this.options, own);
    const parts = { store: this.store, cloud, options: this.options, defects: this.defects, signer };
    this.engine = new VastEngine({ ...parts, timings });
    this.pacing = new Pacing(this.options, this.defects, own);
    this.parts = { ...parts, engine: this.engine, keys: this.keys };
    this.standardTemplateHash = this.store.putTemplate(STANDARD_TEMPLATE).hash;
    const token = randomHex(own, 32);
    this.store.putTemplate({ ...PUBLIC_TEMPLATE, env: `-p 8000:8000 -e HF_TOKEN=hf_${token}` }, undefined, true);
  }

  /** Every key that opens something here. */
  secrets(): readonly string[] {
    return this.keys.secrets();
  }

  /** Arms a fault; the result ends it. */
  arm(rule: VastFaultRule): () => void {
    const id = this.defects.add(rule);
    return () => this.defects.clear(id);
  }

  /** What is really so: templates, money, leaks. */
  truth(): VastTruth {
    return vastTruth(this.parts);
  }

  /** Puts a gate before the port of every worker to come. */
  guardWorkers(gate: (handler: WireHandler) => WireHandler): void {
    this.engine.life.gate = gate;
  }

  /** Which of the secrets that were handed out stand in a text, by what they are. */
  canariesIn(content: string): readonly string[] {
    const known: readonly (readonly [string, string])[] = [
      [this.options.apiKey, 'account key'],
      ...this.store.canaries,
    ];
    return [...new Set(known.filter(([secret]) => content.includes(secret)).map(([, what]) => what))];
  }

  /** Who showed a key in a request, for the record; null where it opens nothing. */
  keyIdOf(request: WireRequest): string | null {
    return this.keys.any(bearerOf(request))?.keyId ?? null;
  }

  /** The host `console.vast.ai`. */
  console(request: WireRequest): Promise<WireReply> {
    return Promise.resolve(consoleHost(this.parts, this.pacing, request));
  }

  /** The host `run.vast.ai`. */
  run(request: WireRequest): Promise<WireReply> {
    const storm = this.defects.has('rate-storm');
    const refusal = storm ? this.pacing.refusal(request, 'run', this.store.clock.nowMs()) : undefined;
    return Promise.resolve(refusal ?? runHost(this.parts, this.lists, request));
  }

  /** The host `openai.vast.ai`: `/<endpoint name>/v1/…`, passed on to a ready worker. */
  async openai(request: WireRequest): Promise<WireReply> {
    const [, name = '', ...rest] = request.url.pathname.split('/');
    const endpoint = this.store.endpointBy(undefined, decodeURIComponent(name));
    if (!opens(this.parts, this.keys.any(bearerOf(request)), endpoint)) return json(401, { error: 'Unauthorized' });
    if (!endpoint) return json(404, { error: 'Endpoint not found' });
    const payload = objectBody(request.body);
    const workload = workloadOf(payload ?? {});
    this.engine.demand(endpoint, workload);
    const worker = this.engine.readyWorker(endpoint);
    if (!worker?.machine || !worker.server) return text(503, 'No workers available');
    worker.lastUsedMs = this.store.clock.nowMs();
    const path = `/${rest.join('/')}${request.url.search}`;
    if (request.method !== 'POST') return this.cloud.request(worker.machine, { ...request, path });
    const work = { path, payload: request.body, workload, requestIndex: null, headers: request.headers };
    return worker.server.serve(work, request.signal);
  }
}
