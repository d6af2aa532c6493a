import type { Clock, HttpClient, HttpOutcome, HttpRequest } from '@davit/ports';
import type { AdviceFailure } from '../advisors/advisor.js';
import { Breaker, type BreakerTimings, DEFAULT_BREAKER } from './breaker.js';
import { exhaustedMs, quietMs, quotasOf } from './hints.js';
import { type Pace, Pacer } from './pacer.js';

export type GateOptions = {
  readonly pace: Pace;
  /** How long an answer serves everybody who asks the same. */
  readonly cacheMs: number;
  /** How long a question waits for its turn before it is given up. */
  readonly patienceMs?: number;
  readonly breaker?: BreakerTimings;
  /** Told of each exchange: what it failed by, if it did, and how long it took. */
  readonly onExchange?: (failure: AdviceFailure | undefined, seconds: number) => void;
};

export type GateAnswer =
  /** The exchange took place; `receivedAtMs` is when, also for those who get a kept answer. */
  | {
      readonly kind: 'exchanged';
      readonly outcome: HttpOutcome;
      readonly receivedAtMs: number;
      readonly failure: AdviceFailure | undefined;
    }
  /** Nothing was sent. */
  | { readonly kind: 'closed'; readonly reason: string; readonly failure: 'outage' | 'rate-limited' };

/** What an outcome means for the questions after it. Called once for each exchange. */
export type Judge = (outcome: HttpOutcome) => AdviceFailure | undefined;

type Kept = { readonly answer: Promise<GateAnswer>; untilMs: number };

/** Requests of one key are one exchange; the API key, which is the same in all, is no part of it. */
export const exchangeKey = ({ method, url, body = '' }: Pick<HttpRequest, 'method' | 'url' | 'body'>): string =>
  `${method} ${url} ${body}`;

/** A turn further away than this is not waited for: stock that is not known blocks nothing. */
const DEFAULT_PATIENCE_MS = 10_000;

/**
 * The one way to a provider's host, shared by all who ask it: equal questions at once are one exchange, its answer is kept
 * for a moment, the provider's rate limit is kept, its wish for quiet honoured, and it is left alone while it is out of order.
 */
export class ProviderGate {
  private readonly kept = new Map<string, Kept>();
  private readonly pacer: Pacer;
  private readonly breaker: Breaker;

  constructor(
    private readonly http: HttpClient,
    private readonly clock: Clock,
    private readonly options: GateOptions,
  ) {
    this.pacer = new Pacer(clock, options.pace);
    this.breaker = new Breaker(clock, options.breaker ?? DEFAULT_BREAKER);
  }

  /** Never retries. Rejects only where the client breaks its contract and throws; nothing is kept of that. */
  ask(request: HttpRequest, judge: Judge): Promise<GateAnswer> {
    const key = exchangeKey(request);
    const nowMs = this.clock.monotonicMs();
    const known = this.kept.get(key);
    if (known && nowMs < known.untilMs) return known.answer;
    for (const [old, { untilMs }] of this.kept) if (untilMs <= nowMs) this.kept.delete(old);
    const entry: Kept = { answer: this.exchange(request, judge), untilMs: Number.POSITIVE_INFINITY };
    this.kept.set(key, entry);
    entry.answer.then(
      (answer) => {
        entry.untilMs = this.clock.monotonicMs() + (isWorthKeeping(answer) ? this.options.cacheMs : 0);
      },
      () => this.kept.delete(key),
    );
    return entry.answer;
  }

  private async exchange(request: HttpRequest, judge: Judge): Promise<GateAnswer> {
    const early = this.breaker.closed();
    if (early !== undefined) return { kind: 'closed', reason: early, failure: 'outage' };
    const turn = await this.pacer.turn(this.options.patienceMs ?? DEFAULT_PATIENCE_MS);
    if (turn !== 'now') {
      const reason = `the rate limit was reached; not asked again for ${Math.ceil(turn / 1_000)} s`;
      return { kind: 'closed', reason, failure: 'rate-limited' };
    }
    // While it waited for its turn, others may have found out that nobody answers.
    const late = this.breaker.closed();
    if (late !== undefined) return { kind: 'closed', reason: late, failure: 'outage' };
    this.breaker.sent();
    const startedMs = this.clock.monotonicMs();
    let failure: AdviceFailure | undefined = 'outage';
    try {
      const outcome = await this.http.request(request);
      failure = judge(outcome);
      this.pace(outcome, failure);
      return { kind: 'exchanged', outcome, receivedAtMs: this.clock.nowMs(), failure };
    } finally {
      this.options.onExchange?.(failure, (this.clock.monotonicMs() - startedMs) / 1_000);
      if (failure === 'outage') this.breaker.failed();
      else this.breaker.answered();
    }
  }

  private pace(outcome: HttpOutcome, failure: AdviceFailure | undefined): void {
    if (failure === 'rate-limited') {
      const { restMs } = this.options.breaker ?? DEFAULT_BREAKER;
      this.pacer.hold(quietMs(outcome, this.clock.nowMs()) ?? restMs);
    } else if (outcome.kind === 'response') {
      const usedUpMs = exhaustedMs(outcome.headers);
      if (usedUpMs !== undefined) this.pacer.hold(usedUpMs);
      const left = quotasOf(outcome.headers).map((quota) => quota.left);
      if (left.length > 0) this.pacer.atMost(Math.min(...left));
    }
  }
}

/** Outages and limits have their own memory; a kept answer must not outlive them. */
const isWorthKeeping = (answer: GateAnswer): boolean =>
  answer.kind === 'exchanged' && answer.failure !== 'outage' && answer.failure !== 'rate-limited';
