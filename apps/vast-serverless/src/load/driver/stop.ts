import { setMaxListeners } from 'node:events';
import { addAmounts, type CapAnswer, capReached, type LoadCaps, type Money } from '@davit/domain';
import { type Clock, sleep } from '@davit/ports';
import { unlessAborted } from './aborted.js';

/** Why load ended before its profile did, as `rollout.load-aborted` tells it. */
export interface LoadStop {
  readonly reason: 'interrupted' | 'cap-requests' | 'cap-time' | 'cap-spend' | 'errors' | 'ordered';
  readonly detail: string;
}

/** What was used before under the same caps, by ramps that ran already. */
export interface UsedBefore {
  readonly requests: number;
  readonly elapsedMs: number;
  readonly spend: Money;
}

export interface StopRules {
  readonly caps: LoadCaps;
  readonly before?: UsedBefore;
  /** Who sends is about to end. */
  readonly signal?: AbortSignal;
  /** Asked every quarter of a second: words when somebody ordered an end, null otherwise. */
  readonly ordered?: () => Promise<string | null>;
  /** So many failures without a success in between end it. Default 200. */
  readonly mostFailuresInARow?: number;
}

/** What is spent so far, and how old that knowledge is. */
export interface SpendKnown {
  readonly spend: Money | null;
  readonly ageMs: number;
}

const ASK_MS = 250;
const FAILURES_IN_A_ROW = 200;

/** Watches over a load: decides before each request, and several times a second, whether it may go on. */
export class StopSwitch {
  private readonly controller = new AbortController();
  private readonly startedMs: number;
  private requests = 0;
  private failures = 0;
  private isClosed = false;
  private stopped: LoadStop | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly rules: StopRules,
    private readonly spent: () => SpendKnown,
  ) {
    this.startedMs = clock.monotonicMs();
    // Each request under way listens.
    setMaxListeners(0, this.controller.signal);
    const { signal } = rules;
    const interrupt = (): void => this.stop({ reason: 'interrupted', detail: 'whoever sends it is ending' });
    if (signal?.aborted) interrupt();
    signal?.addEventListener('abort', interrupt, { once: true, signal: this.controller.signal });
  }

  /** Null as long as nothing speaks against going on. */
  get reason(): LoadStop | null {
    return this.stopped;
  }

  /** Aborts when the load has to end at once. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get sent(): number {
    return this.requests;
  }

  /** Counts one more request, unless it may not be sent. */
  admits(): boolean {
    this.applyCaps();
    if (this.stopped !== null) return false;
    this.requests += 1;
    return true;
  }

  /** Tells how a request ended. */
  settled(isOk: boolean): void {
    this.failures = isOk ? 0 : this.failures + 1;
    const most = this.rules.mostFailuresInARow ?? FAILURES_IN_A_ROW;
    if (this.failures >= most) this.stop({ reason: 'errors', detail: `${this.failures} requests in a row failed` });
  }

  stop(stop: LoadStop): void {
    if (this.isClosed) return;
    this.stopped ??= stop;
    // Requests that are paid for may end when there are enough of them; nothing else has time for them.
    if (stop.reason !== 'cap-requests') this.controller.abort();
  }

  /** Asks again and again until it is closed or has stopped. */
  async watch(): Promise<void> {
    while (!this.isClosed && !this.signal.aborted) {
      const { ordered } = this.rules;
      const words = ordered === undefined ? null : await unlessAborted(this.signal, ordered());
      if (typeof words === 'string') this.stop({ reason: 'ordered', detail: words });
      this.applyCaps(['time', 'money']);
      await sleep(this.clock, ASK_MS, this.signal);
    }
  }

  /** The load is over: nothing can stop it any more. */
  close(): void {
    this.isClosed = true;
    this.controller.abort();
  }

  private applyCaps(only?: readonly string[]): void {
    const answer = this.capAnswer();
    if (answer.kind === 'within' || (only !== undefined && !only.includes(answer.cap))) return;
    const reason = answer.cap === 'requests' ? 'cap-requests' : answer.cap === 'time' ? 'cap-time' : 'cap-spend';
    this.stop({ reason, detail: answer.detail });
  }

  private capAnswer(): CapAnswer {
    const { before, caps } = this.rules;
    const { spend, ageMs } = this.spent();
    const use = {
      requests: this.requests + (before?.requests ?? 0),
      elapsedMs: this.clock.monotonicMs() - this.startedMs + (before?.elapsedMs ?? 0),
      spend: spend === null || before === undefined ? spend : together(spend, before.spend),
      spendAgeMs: ageMs,
    };
    return capReached(use, caps);
  }
}

/** Null for amounts of two currencies: their sum is not known. */
const together = (a: Money, b: Money): Money | null =>
  a.currency === b.currency ? { amount: addAmounts(a.amount, b.amount), currency: a.currency } : null;
