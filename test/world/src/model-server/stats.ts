import { Histogram } from './metrics/histogram.js';
import { SpeedMeter } from './speed-meter.js';
import { NO_TRAFFIC, type Traffic } from './traffic.js';

// Bounds of vLLM's buckets; seconds unless said.
const SECONDS = [
  ...[0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560],
];
const REQUEST_SECONDS = [
  ...[0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680],
];
const TOKEN_SECONDS = [
  ...[0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80],
];
const TOKENS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const ITERATION_TOKENS = [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384];

export type FinishReason = 'stop' | 'length' | 'abort' | 'error' | 'repetition';

export interface FinishedRequest {
  readonly reason: FinishReason;
  readonly promptTokens: number;
  readonly generatedTokens: number;
  readonly maxTokens: number;
  readonly queuedSeconds: number;
  readonly prefillSeconds: number;
  readonly decodeSeconds: number;
}

/** What the gauges of an engine say. */
export interface Gauges {
  readonly running: number;
  /** Always `capacity` plus `deferred`. */
  readonly waiting: number;
  readonly capacity: number;
  readonly deferred: number;
  /** 0 to 1. */
  readonly kvUsage: number;
}

const UNKNOWN: Gauges = {
  running: Number.NaN,
  waiting: Number.NaN,
  capacity: Number.NaN,
  deferred: Number.NaN,
  kvUsage: Number.NaN,
};

/** The books of one engine: counters only grow, and sums of different families agree. */
export class EngineStats {
  /** Requests in the batch and in the queue, without those that are only believed. */
  running = 0;
  waiting = 0;
  traffic: Traffic = NO_TRAFFIC;
  promptTokens = 0;
  generatedTokens = 0;
  /** Passes of the engine over its batch, and how many requests were in it, summed. */
  decodes = 0;
  busySlots = 0;
  prefillSeconds = 0;
  decodeSeconds = 0;
  longestSequence = 0;
  requests = 0;
  readonly firstToken = new Histogram(SECONDS);
  readonly interToken = new Histogram(TOKEN_SECONDS);
  readonly perToken = new Histogram(TOKEN_SECONDS);
  readonly endToEnd = new Histogram(REQUEST_SECONDS);
  readonly queue = new Histogram(REQUEST_SECONDS);
  readonly inference = new Histogram(REQUEST_SECONDS);
  readonly prefill = new Histogram(REQUEST_SECONDS);
  readonly decode = new Histogram(REQUEST_SECONDS);
  readonly prompts = new Histogram(TOKENS);
  readonly generations = new Histogram(TOKENS);
  readonly maxGenerations = new Histogram(TOKENS);
  readonly maxTokens = new Histogram(TOKENS);
  readonly choices = new Histogram([1, 2, 5, 10, 20]);
  readonly preemptions = new Histogram([1, 2, 3, 4, 5, 10, 20]);
  readonly iterations = new Histogram(ITERATION_TOKENS);
  /** Grows with every change of a counter. */
  changes = 0;
  private readonly finished = new Map<FinishReason, number>();
  private readonly promptMeter = new SpeedMeter();
  private readonly generationMeter = new SpeedMeter();
  private lastStep: Gauges;
  private readonly writers: number[];

  /**
   * Of `apiServers` processes one writes the gauges of a step; each keeps what it wrote last. Unless it tells aborts, a request
   * whose client left is in no family of requests that ended.
   */
  constructor(
    private readonly maxRunning: number,
    apiServers = 1,
    private readonly tellsAborts = true,
  ) {
    this.lastStep = this.present();
    this.writers = Array.from({ length: apiServers }, () => 0);
  }

  prefilled(promptTokens: number, waitedSeconds: number, prefillSeconds: number, times = 1): void {
    this.requests += times;
    this.promptTokens += promptTokens * times;
    this.prefillSeconds += prefillSeconds * times;
    this.firstToken.observe(waitedSeconds, times);
    this.iterations.observe(promptTokens, times);
    this.step();
  }

  /** `seconds` since the token before, null for the first of a request. */
  generated(seconds: number | null, times = 1): void {
    this.generatedTokens += times;
    this.decodes += times;
    this.busySlots += this.present().running * times;
    if (seconds !== null) {
      this.decodeSeconds += seconds * times;
      this.interToken.observe(seconds, times);
      this.iterations.observe(1, times);
    }
    this.step();
  }

  finish(request: FinishedRequest, times = 1): void {
    this.changes += 1;
    if (request.reason === 'abort' && !this.tellsAborts) return;
    const { reason, queuedSeconds, prefillSeconds, decodeSeconds, generatedTokens } = request;
    this.finished.set(reason, this.finishedWith(reason) + times);
    this.longestSequence = Math.max(this.longestSequence, request.promptTokens + generatedTokens);
    this.queue.observe(queuedSeconds, times);
    this.prefill.observe(prefillSeconds, times);
    this.decode.observe(decodeSeconds, times);
    this.inference.observe(prefillSeconds + decodeSeconds, times);
    this.endToEnd.observe(queuedSeconds + prefillSeconds + decodeSeconds, times);
    if (generatedTokens > 1) this.perToken.observe(decodeSeconds / (generatedTokens - 1), times);
    this.prompts.observe(request.promptTokens, times);
    this.generations.observe(generatedTokens, times);
    this.maxGenerations.observe(generatedTokens, times);
    this.maxTokens.observe(request.maxTokens, times);
    this.choices.observe(1, times);
    this.preemptions.observe(0, times);
    // An abort is no step of the engine: gauges that move with steps stay as they were.
    if (reason !== 'abort') this.step();
  }

  finishedWith(reason: FinishReason): number {
    return this.finished.get(reason) ?? 0;
  }

  /** Gauges as they are, as the last step left them, or not numbers at all. */
  gauges(mode: 'present' | 'last-step' | 'unknown'): Gauges {
    if (mode === 'unknown') return UNKNOWN;
    return mode === 'present' ? this.present() : this.lastStep;
  }

  /** Tokens a second between the last two looks. */
  promptSpeed(nowMs: number): number {
    return this.promptMeter.perSecond(this.promptTokens, nowMs);
  }

  generationSpeed(nowMs: number): number {
    return this.generationMeter.perSecond(this.generatedTokens, nowMs);
  }

  /** Cache usage as each process of the front end wrote it last; the most recent write is among them. */
  kvUsageByProcess(): readonly number[] {
    return this.writers;
  }

  private step(): void {
    this.changes += 1;
    this.lastStep = this.present();
    this.writers[this.changes % this.writers.length] = this.lastStep.kvUsage;
  }

  private present(): Gauges {
    const running = this.running + this.traffic.running;
    const capacity = this.waiting + this.traffic.waiting;
    const { deferred } = this.traffic;
    const kvUsage = this.traffic.kvUsage ?? Math.min(1, running / Math.max(1, this.maxRunning));
    return { running, capacity, deferred, waiting: capacity + deferred, kvUsage };
  }
}
