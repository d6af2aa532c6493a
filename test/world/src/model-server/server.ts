import { type WorldClock, type WorldRandom } from '../clock.js';
import { json, text, type WireReply, type WireRequest } from '../http/wire.js';
import { type ModelServerConfig } from './config.js';
import { type ModelFault } from './faults.js';
import { keyIn, opens, type KeyShown } from './keys.js';
import { RUNTIMES } from './runtimes/index.js';
import { type Runtime } from './runtimes/runtime.js';
import { ServerState } from './state.js';
import { type Traffic } from './traffic.js';

const UNCOUNTED = new Set(['/metrics', '/health', '/load', '/ping', '/version', '/server_info']);
const DEAD_ENGINE_MS = 5_000;

/** What whoever hosts a model server is told. */
export interface ServerEvents {
  /** The process ends: its port closes. */
  exited(): void;
  /** A request came with a key. */
  keyShown(shown: KeyShown): void;
}

/** From its start until its port is open, in milliseconds. */
export const opensAfterMs = ({ profile, loadMs }: ModelServerConfig): number => RUNTIMES[profile].listensFrom * loadMs;

/** One model server of any kind, once its port is open. */
export class ModelServer {
  private readonly state: ServerState;
  private readonly runtime: Runtime;
  private readonly loadedAtMs: number;

  constructor(
    config: ModelServerConfig,
    private readonly clock: WorldClock,
    random: WorldRandom,
    private readonly events: ServerEvents,
  ) {
    this.runtime = RUNTIMES[config.profile];
    this.loadedAtMs = clock.nowMs() + config.loadMs;
    this.state = new ServerState(config, clock, random, (ms) => this.exitAfter(ms));
  }

  /** Replaces the faults it has. */
  setFaults(faults: readonly ModelFault[]): void {
    const { state } = this;
    state.faults.replace(faults);
    state.pool.standStill(state.hung || state.dead);
    const slow = state.faults.get('slow-inference');
    state.pool.setPace(slow);
    if (state.faults.has('crash')) this.events.exited();
    const dead = state.faults.get('dead-engine');
    if (dead) this.dieOf(dead);
  }

  /** From now on it believes that it has this load, besides the requests that come. */
  believe(traffic: Traffic): void {
    this.state.pool.believe(traffic);
  }

  async handle(request: WireRequest): Promise<WireReply> {
    const { state } = this;
    const { pathname } = request.url;
    this.noteKey(request);
    if (state.faults.has('placeholder')) return text(200, '<html><body>Loading</body></html>', 'text/html');
    if (state.faults.has('scaling'))
      return json(503, { error: 'The model is currently scaling. Please try again later.' });
    const location = request.method === 'GET' ? state.faults.redirectOf(pathname) : undefined;
    if (location !== undefined) return { kind: 'response', status: 307, headers: { location }, body: '' };
    const turnedAway = this.answerWhileLoading(request) ?? this.refusal(request);
    // Keys are checked before requests are counted.
    if (turnedAway) return turnedAway;
    const reply = await this.runtime.route(request, state);
    if (!UNCOUNTED.has(pathname) && reply.kind === 'response')
      state.http.answered(pathname, request.method, reply.status);
    return reply;
  }

  private answerWhileLoading(request: WireRequest): WireReply | undefined {
    if (this.clock.nowMs() >= this.loadedAtMs) return undefined;
    return this.runtime.whileLoading?.(request, this.state.config);
  }

  private refusal(request: WireRequest): WireReply | undefined {
    const { runtime, state } = this;
    if (request.method === 'OPTIONS' || !runtime.guards(request.url.pathname, state.config)) return undefined;
    const rejected = state.faults.get('key-rejected');
    if (rejected) return runtime.unauthorized(rejected.status ?? 401);
    const { lock } = state;
    return lock === null || opens(lock, runtime.keyOf(request, state.config)) ? undefined : runtime.unauthorized(401);
  }

  private noteKey(request: WireRequest): void {
    const key = keyIn(request);
    if (key === undefined) return;
    const { lock } = this.state;
    this.events.keyShown(lock !== null && opens(lock, key) ? 'own' : 'foreign');
  }

  private dieOf({ ms, status }: Extract<ModelFault, { kind: 'dead-engine' }>): void {
    const shown = status ?? this.runtime.deadStatus(this.state.config);
    // The oldest releases have no watchdog: nobody notices, and the process stays.
    if (shown === 200 && ms === undefined) return;
    this.exitAfter(ms ?? (shown === null ? 0 : DEAD_ENGINE_MS));
  }

  private exitAfter(ms: number): void {
    this.clock.schedule(ms, () => this.events.exited());
  }
}
