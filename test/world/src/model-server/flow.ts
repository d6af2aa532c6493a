import { type EngineStats } from './stats.js';
import { type Traffic } from './traffic.js';

/** Turns a believed load into tokens and requests in the books, as time passes. */
export class TrafficFlow {
  private settledMs: number;
  private due = 0;
  private tokens = 0;
  private started = 0;
  private finished = 0;

  constructor(
    private readonly stats: EngineStats,
    nowMs: number,
    private readonly prefillSeconds: number,
  ) {
    this.settledMs = nowMs;
  }

  /** Requests under way end with the tokens they have; from now on it flows as this says. */
  set(traffic: Traffic, nowMs: number, stands: boolean): void {
    this.settle(nowMs, stands);
    if (this.started > this.finished) this.finish(this.tokens - this.finished * this.perRequest, 1);
    this.due = this.tokens = this.started = this.finished = 0;
    this.stats.traffic = traffic;
  }

  /** Books what has flowed until now; while the engine stands still, nothing has. */
  settle(nowMs: number, stands: boolean): void {
    const elapsedSeconds = (nowMs - this.settledMs) / 1000;
    this.settledMs = nowMs;
    const { tokensPerSecond, promptTokens } = this.stats.traffic;
    if (stands || tokensPerSecond === 0) return;
    this.due += tokensPerSecond * elapsedSeconds;
    const tokens = Math.floor(this.due) - this.tokens;
    if (tokens === 0) return;
    this.tokens += tokens;
    const started = Math.ceil(this.tokens / this.perRequest) - this.started;
    this.started += started;
    if (started > 0) {
      this.stats.prefilled(promptTokens, this.prefillSeconds, this.prefillSeconds, started);
      this.stats.generated(null, started);
    }
    if (tokens > started) this.stats.generated(this.tokenSeconds, tokens - started);
    const finished = Math.floor(this.tokens / this.perRequest) - this.finished;
    this.finished += finished;
    if (finished > 0) this.finish(this.perRequest, finished);
  }

  private finish(generatedTokens: number, times: number): void {
    const { promptTokens, tokensPerRequest } = this.stats.traffic;
    const request = { reason: 'stop', promptTokens, generatedTokens, maxTokens: tokensPerRequest } as const;
    const decodeSeconds = this.tokenSeconds * Math.max(0, generatedTokens - 1);
    this.stats.finish({ ...request, queuedSeconds: 0, prefillSeconds: this.prefillSeconds, decodeSeconds }, times);
  }

  private get perRequest(): number {
    return this.stats.traffic.tokensPerRequest;
  }

  /** Between two tokens of one request, when all that run share the pace. */
  private get tokenSeconds(): number {
    const { running, tokensPerSecond } = this.stats.traffic;
    return tokensPerSecond === 0 ? 0 : Math.max(1, running) / tokensPerSecond;
  }
}
