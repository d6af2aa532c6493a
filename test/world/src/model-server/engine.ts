import { pause, type WorldClock } from '../clock.js';
import { type ModelServerConfig } from './config.js';
import { EngineStats, type FinishReason } from './stats.js';

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

const ANSWER = ['Hello', '!', ' This', ' answer', ' comes', ' from', ' a', ' real', ' local', ' server', '.'];

/** Produces tokens at the configured pace and keeps the books of it. */
export class Engine {
  readonly stats: EngineStats;
  /** While hung, nothing is scheduled and no counter moves. */
  hung = false;
  private readonly queue: (() => void)[] = [];

  constructor(
    private readonly config: ModelServerConfig,
    private readonly clock: WorldClock,
  ) {
    this.stats = new EngineStats(clock.nowMs());
  }

  async *generate(request: GenerationRequest): AsyncGenerator<GeneratedToken> {
    const arrivedMs = this.clock.nowMs();
    await this.admit();
    const startedMs = this.clock.nowMs();
    let firstMs = startedMs;
    let generated = 0;
    let reason: FinishReason = 'abort';
    try {
      await this.step(this.config.firstTokenMs, request.signal);
      firstMs = this.clock.nowMs();
      this.stats.prefilled(request.promptTokens, (firstMs - arrivedMs) / 1000);
      const wanted = Math.min(ANSWER.length, Math.max(1, request.maxTokens));
      const end: FinishReason = request.maxTokens < ANSWER.length ? 'length' : 'stop';
      while (generated < wanted && !request.signal?.aborted) {
        if (generated > 0) await this.step(this.config.tokenMs, request.signal);
        this.stats.generated(generated > 0 ? this.config.tokenMs / 1000 : null);
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
    if (this.hung) await new Promise<never>(() => undefined);
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
