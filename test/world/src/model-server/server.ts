import { pause, randomHex, type WorldClock, type WorldRandom } from '../clock.js';
import { bearerOf, empty, json, text, type WireReply, type WireRequest } from '../http/wire.js';
import { seal } from '../seal.js';
import { completion, failure } from './completions.js';
import { type ModelFault, type ModelServerConfig } from './config.js';
import { Engine } from './engine.js';

const UNCOUNTED = new Set(['/metrics', '/health', '/load', '/ping', '/version', '/server_info']);
const DEAD_ENGINE_MS = 5_000;

/** A vLLM-like server once its port is open. Who hosts it closes the port when `onExit` is called. */
export class ModelServer {
  private fault: ModelFault = { kind: 'none' };
  private readonly engine: Engine;

  constructor(
    private readonly config: ModelServerConfig,
    private readonly clock: WorldClock,
    private readonly random: WorldRandom,
    private readonly onExit: () => void,
  ) {
    this.engine = new Engine(config, clock);
  }

  setFault(fault: ModelFault): void {
    this.fault = fault;
    this.engine.hung = fault.kind === 'hang';
    if (fault.kind === 'crash') this.onExit();
    if (fault.kind === 'dead-engine') this.clock.schedule(fault.ms ?? DEAD_ENGINE_MS, this.onExit);
  }

  async handle(request: WireRequest): Promise<WireReply> {
    if (this.fault.kind === 'placeholder') return text(200, '<html><body>Loading</body></html>', 'text/html');
    if (this.fault.kind === 'scaling')
      return json(503, { error: 'The model is currently scaling. Please try again later.' });
    const reply = await this.route(request);
    const path = request.url.pathname;
    if (!UNCOUNTED.has(path) && reply.kind === 'response' && this.fault.kind !== 'hang')
      this.engine.stats.answered(path, request.method, reply.status);
    return reply;
  }

  private async route(request: WireRequest): Promise<WireReply> {
    const path = request.url.pathname;
    if (path.startsWith('/v1') && !this.authorized(request)) return json(401, { error: 'Unauthorized' });
    switch (`${request.method} ${path}`) {
      case 'GET /health':
      case 'GET /ping':
      case 'POST /ping':
        return this.health(request);
      case 'GET /version':
        return json(200, { version: this.config.version });
      case 'GET /load':
        return json(200, { server_load: this.engine.stats.running });
      case 'GET /metrics':
        return this.metrics();
      case 'GET /v1/models':
        return json(200, this.models());
      case 'POST /v1/chat/completions':
      case 'POST /v1/completions':
        return this.complete(request);
      default:
        return json(404, { detail: 'Not Found' });
    }
  }

  private async health(request: WireRequest): Promise<WireReply> {
    if (this.fault.kind === 'slow-health') await pause(this.clock, this.fault.ms, request.signal);
    return empty(this.fault.kind === 'dead-engine' ? 503 : 200);
  }

  private metrics(): WireReply {
    const level = this.fault.kind === 'sleeping' ? this.fault.level : 0;
    const whole = this.engine.stats.render(this.live(), level, this.fault.kind !== 'stats-off');
    const body = this.fault.kind === 'metrics-cut' ? whole.slice(0, Math.floor(whole.length * 0.6)) : whole;
    return text(200, body, 'text/plain; version=1.0.0; charset=utf-8');
  }

  private complete(request: WireRequest): Promise<WireReply> | WireReply {
    if (this.fault.kind === 'sleeping') return { kind: 'hang' };
    if (this.fault.kind === 'dead-engine' || this.fault.kind === 'completions-fail')
      return failure(500, 'InternalServerError', 'EngineCore encountered an issue.');
    return completion(request, this.live(), this.engine, () => randomHex(this.random, 32), this.clock);
  }

  private models(): unknown {
    const created = Math.floor(this.clock.nowMs() / 1000);
    const config = this.live();
    return {
      object: 'list',
      data: config.servedModelNames.map((id) => ({
        id,
        object: 'model',
        created,
        owned_by: 'vllm',
        root: config.root,
        parent: null,
        max_model_len: config.maxModelLen,
        permission: [{ id: `modelperm-${randomHex(this.random, 32)}`, object: 'model_permission', created }],
      })),
    };
  }

  private live(): ModelServerConfig {
    if (this.fault.kind !== 'wrong-model') return this.config;
    return { ...this.config, servedModelNames: [this.fault.model], root: this.fault.model };
  }

  private authorized(request: WireRequest): boolean {
    const { apiKey } = this.config;
    if (!apiKey || request.method === 'OPTIONS') return true;
    const presented = bearerOf(request);
    return presented !== undefined && seal(apiKey.salt, presented) === apiKey.sealed;
  }
}
