import { pause, type WorldClock } from '../clock.js';
import { type ModelServerConfig } from './config.js';
import { TrafficFlow } from './flow.js';
import { tellsAborts } from './profiles.js';
import { EngineStats, type FinishReason } from './stats.js';
import { type Traffic } from './traffic.js';

export interface GenerationRequest {
  readonly promptTokens: number;
  readonly maxTokens: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GeneratedToken {
  readonly text: string;
  /** Set on the last token. */
  readonly finishReason: FinishReason | null;
}

/** How long an engine takes, in milliseconds. */
export interface Pace {
  readonly firstTokenMs: number;
  readonly tokenMs: number;
}

const ANSWER = ['Hello', '!', ' This', ' answer', ' comes', ' from', ' a', ' real', ' local', ' server', '.'];

/** Produces tokens at its pace and keeps the books of it. */
export class Engine {
  readonly stats: EngineStats;
  pace: Pace;
  private stands = false;
  private readonly queue: (() => void)[] = [];
  private readonly stuck: (() => void)[] = [];
  private readonly flow: TrafficFlow;

  constructor(
    private readonly config: ModelServerConfig,
    private readonly clock: WorldClock,
  ) {
    this.pace = config;
    this.stats = new EngineStats(config.maxRunning, config.apiServers, tellsAborts(config));
    this.flow = new TrafficFlow(this.stats, clock.nowMs(), config.firstTokenMs / 1000);
  }

  /** While it stands still, nothing is scheduled and no counter moves; work piles up. */
  standStill(stands: boolean): void {
    this.settle();
    this.stands = stands;
    if (!stands) for (const goOn of this.stuck.splice(0)) goOn();
  }

  /** From now on it believes in this load. */
  believe(traffic: Traffic): void {
    this.flow.set(traffic, this.clock.nowMs(), this.stands);
  }

  /** Brings the books up to the present. */
  settle(): void {
    this.flow.settle(this.clock.nowMs(), this.stands);
  }

  async *generate(request: GenerationRequest): AsyncGenerator<GeneratedToken> {
    const { pace } = this;
    const arrivedMs = this.clock.nowMs();
    await this.admit();
    const startedMs = this.clock.nowMs();
    let firstMs = startedMs;
    let generated = 0;
    let reason: FinishReason = 'abort';
    try {
      await this.step(pace.firstTokenMs, request.signal);
      firstMs = this.clock.nowMs();
      this.stats.prefilled(request.promptTokens, (firstMs - arrivedMs) / 1000, (firstMs - startedMs) / 1000);
      const wanted = Math.min(ANSWER.length, Math.max(1, request.maxTokens));
      const end: FinishReason = request.maxTokens < ANSWER.length ? 'length' : 'stop';
      while (generated < wanted && !request.signal?.aborted) {
        if (generated > 0) await this.step(pace.tokenMs, request.signal);
        this.stats.generated(generated > 0 ? pace.tokenMs / 1000 : null);
        generated += 1;
        if (generated === wanted) reason = end;
        yield { text: ANSWER[generated - 1] ?? '', finishReason: generated === wanted ? end : null };
      }
    } finally {
      this.leave();
      this.stats.finish({
        reason,
        promptTokens: request.promptTokens,
        generatedTokens: generated,
        maxTokens: request.maxTokens,
        queuedSeconds: (startedMs - arrivedMs) / 1000,
        prefillSeconds: (firstMs - startedMs) / 1000,
        decodeSeconds: (this.clock.nowMs() - firstMs) / 1000,
      });
    }
  }

  private async step(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await pause(this.clock, ms, signal);
    while (this.stands) await new Promise<void>((resolve) => this.stuck.push(resolve));
  }

  private async admit(): Promise<void> {
    if (this.stats.running < this.config.maxRunning) {
      this.stats.running += 1;
      return;
    }
    this.stats.waiting += 1;
    await new Promise<void>((resolve) => this.queue.push(resolve));
    this.stats.waiting -= 1;
  }

  private leave(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.stats.running -= 1;
  }
}
