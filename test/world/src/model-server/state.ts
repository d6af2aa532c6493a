import { pause, type WorldClock, type WorldRandom } from '../clock.js';
import { type WireRequest } from '../http/wire.js';
import { type ModelServerConfig } from './config.js';
import { FaultSet } from './faults.js';
import { HttpCounts } from './http-counts.js';
import { sealedKey, type SealedKey } from './keys.js';
import { LoraBook } from './lora-book.js';
import { EnginePool } from './pool.js';
import { Sleep } from './sleep.js';
import { type EngineStats, type Gauges } from './stats.js';

/** Everything a model server is, apart from how its kind speaks of it. */
export class ServerState {
  readonly faults = new FaultSet();
  readonly http = new HttpCounts();
  readonly lora: LoraBook;
  readonly pool: EnginePool;
  readonly sleep = new Sleep();
  readonly startedAtMs: number;
  /** Requests turned away or failed, by cause. */
  readonly failures = new Map<string, number>();
  private crashed = false;
  private kept = { key: '', text: '' };

  constructor(
    private readonly launched: ModelServerConfig,
    readonly clock: WorldClock,
    readonly random: WorldRandom,
    private readonly exitAfter: (ms: number) => void,
  ) {
    this.startedAtMs = clock.nowMs();
    this.pool = new EnginePool(launched, clock);
    this.lora = new LoraBook(this.startedAtMs);
  }

  /** As launched, with what the present faults change of it. */
  get config(): ModelServerConfig {
    const wrong = this.faults.get('wrong-model');
    const second = this.faults.get('second-name');
    const lora = this.faults.get('lora');
    if (!wrong && !second && !lora) return this.launched;
    const names = wrong ? [wrong.model] : this.launched.servedModelNames;
    const added = lora?.adapters.map((name) => ({ name, path: `/adapters/${name}` })) ?? [];
    return {
      ...this.launched,
      root: wrong?.model ?? this.launched.root,
      servedModelNames: second ? [...names, second.name] : names,
      adapters: [...this.launched.adapters, ...added],
    };
  }

  /** What opens the guarded paths; null when nothing is asked for. */
  get lock(): SealedKey | null {
    const required = this.faults.get('key-required');
    return required ? sealedKey('required', required.key) : this.launched.apiKey;
  }

  /** The engine dies by itself, and the process follows it. */
  crash(exitMs: number): void {
    if (this.dead) return;
    this.crashed = true;
    this.pool.standStill(true);
    this.exitAfter(exitMs);
  }

  get dead(): boolean {
    return this.crashed || this.faults.has('dead-engine');
  }

  get hung(): boolean {
    return this.faults.has('hang');
  }

  get sleepLevel(): 0 | 1 | 2 {
    return this.faults.get('sleeping')?.level ?? this.sleep.level;
  }

  get publishesStats(): boolean {
    return this.launched.metrics && !this.faults.has('stats-off');
  }

  books(): readonly EngineStats[] {
    return this.pool.books();
  }

  gaugesOf(stats: EngineStats): Gauges {
    if (this.faults.has('metrics-nan')) return stats.gauges('unknown');
    return stats.gauges(this.faults.has('gauges-frozen') ? 'last-step' : 'present');
  }

  /** The text that was rendered last, as long as what it shows (`key`) stays the same. */
  keptText(key: string, render: () => string): string {
    if (this.kept.key !== key) this.kept = { key, text: render() };
    return this.kept.text;
  }

  failed(cause: string): void {
    this.failures.set(cause, (this.failures.get(cause) ?? 0) + 1);
  }

  /** Waits as long as a health check takes: at least this, and longer when it is made to. */
  async healthTakes(request: WireRequest, leastMs = 0): Promise<void> {
    await pause(this.clock, Math.max(leastMs, this.faults.get('slow-health')?.ms ?? 0), request.signal);
  }
}
