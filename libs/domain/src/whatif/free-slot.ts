import type { HourlyPrice, Placement } from '@davit/contracts';
import type { OfferTry } from '../lifecycle/evolve-offer.js';
import { type Meter, endMeter, startMeter } from '../lifecycle/meter.js';
import { offerKeyOf } from '../placement/offer.js';
import { REFUSAL_MEMORY_MS } from '../placement/refusals.js';
import type { Ranking } from '../placement/ranking.js';
import {
  type Fall,
  type Outcome,
  type ReplayedDecision,
  type ReplayedMachine,
  type ReplayedWait,
  alternativesOf,
  outcomeOf,
} from './result.js';

/** A real start that began at most so long after a replayed one says what would have become of it. */
export const SAME_START_MS = REFUSAL_MEMORY_MS;

export type Moment = { readonly ms: number; readonly position: number };

type Running = {
  readonly placement: Placement;
  readonly offer: string;
  readonly price: HourlyPrice | null;
  readonly sinceMs: number;
  readonly readyAtMs: number;
  readonly readyBy: 'history' | 'assumed';
  readonly meter: Meter;
  /** A real start on the same offer was not refused: neither is this one. */
  readonly proven: boolean;
};

export const iso = (ms: number): string => new Date(ms).toISOString();

/** One replica that goes a way of its own: it waits, starts, is refused, serves. */
export class FreeSlot {
  readonly decisions: ReplayedDecision[] = [];
  readonly waits: ReplayedWait[] = [];
  readonly falls: Fall[] = [];
  private readonly ended: { readonly machine: ReplayedMachine; readonly meter: Meter }[] = [];
  private running: Running | null = null;
  private over = false;
  private wait: { readonly fromMs: number; readonly reason: string } | null = null;

  get isWaiting(): boolean {
    return this.running === null;
  }
  /** Not wanted any more. */
  get isEnded(): boolean {
    return this.over;
  }
  /** It has been told that it must wait. */
  get hasAsked(): boolean {
    return this.wait !== null;
  }
  get rent(): { readonly placement: Placement; readonly price: HourlyPrice | null; readonly meter: Meter } | null {
    return this.running;
  }

  /** It goes on with a machine that it has. */
  takeOver(
    placement: Placement,
    price: HourlyPrice | null,
    readyAt: string | null,
    now: Moment,
    readyMs: (offer: string) => ReadyMs,
  ): void {
    this.start(placement, price, now, readyMs);
    if (this.running && readyAt !== null) this.running = { ...this.running, readyAtMs: now.ms };
  }

  /** What was decided for it at a moment. A wait that goes on for other reasons is one wait. */
  decide(
    ranking: Ranking,
    now: Moment,
    readyMs: (offer: string) => ReadyMs,
    real: ReplayedDecision['real'] = null,
  ): void {
    const outcome = outcomeOf(ranking);
    const price = ranking.chosen?.price.status === 'fresh' ? ranking.chosen.price.price : null;
    if (ranking.chosen || this.wait === null) this.decisions.push(decisionOf(ranking, outcome, price, now, real));
    if (!ranking.chosen) {
      this.wait ??= { fromMs: now.ms, reason: outcome.reason };
      return;
    }
    this.endWait(now.ms);
    this.start(ranking.chosen.placement, price, now, readyMs);
  }

  /** A real start ended. True when that refuses this one, which then has to go elsewhere. */
  hear(offer: string, real: OfferTry, now: Moment): boolean {
    const { running } = this;
    if (running?.offer !== offer || running.proven || now.ms >= running.readyAtMs) return false;
    if (Date.parse(real.at) > running.sinceMs + SAME_START_MS) return false;
    if (real.outcome !== 'refused') {
      this.running = { ...running, proven: true };
      return false;
    }
    const because = `${real.replicaId} was refused there: ${real.detail}`;
    this.falls.push({ at: iso(now.ms), position: now.position, offer, because });
    // A launch that was refused never made a machine.
    this.running = null;
    this.wait = null;
    return true;
  }

  /** Not wanted any more: what it has goes. */
  end(now: Moment): void {
    this.over = true;
    this.endWait(now.ms);
    if (!this.running) return;
    const meter = endMeter(this.running.meter, { time: iso(now.ms), position: now.position });
    this.ended.push({ machine: this.machine(this.running, now.ms, iso(now.ms)), meter });
    this.running = null;
  }

  finish(toMs: number): { readonly machines: readonly ReplayedMachine[]; readonly meters: readonly Meter[] } {
    if (this.wait) this.waits.push({ from: iso(this.wait.fromMs), to: null, reason: this.wait.reason });
    const last = this.running ? [{ machine: this.machine(this.running, toMs, null), meter: this.running.meter }] : [];
    const all = [...this.ended, ...last];
    return { machines: all.map(({ machine }) => machine), meters: all.map(({ meter }) => meter) };
  }

  private start(
    placement: Placement,
    price: HourlyPrice | null,
    now: Moment,
    readyMs: (offer: string) => ReadyMs,
  ): void {
    const offer = offerKeyOf(placement);
    const { ms, by } = readyMs(offer);
    const meter = startMeter({ time: iso(now.ms), position: now.position }, price, placement);
    const readyAtMs = now.ms + ms;
    this.running = { placement, offer, price, sinceMs: now.ms, readyAtMs, readyBy: by, meter, proven: false };
  }

  private machine(running: Running, untilMs: number, to: string | null): ReplayedMachine {
    const { offer, sinceMs, readyAtMs, readyBy, price } = running;
    const served = readyAtMs <= untilMs;
    return {
      offer,
      from: iso(sinceMs),
      to,
      readyAt: served ? iso(readyAtMs) : null,
      readyBy: served ? readyBy : null,
      price,
    };
  }

  private endWait(ms: number): void {
    if (this.wait) this.waits.push({ from: iso(this.wait.fromMs), to: iso(ms), reason: this.wait.reason });
    this.wait = null;
  }
}

export type ReadyMs = { readonly ms: number; readonly by: 'history' | 'assumed' };

export const decisionOf = (
  ranking: Ranking,
  outcome: Outcome,
  price: HourlyPrice | null,
  now: Moment,
  real: ReplayedDecision['real'],
): ReplayedDecision => ({
  ...outcome,
  at: iso(now.ms),
  position: now.position,
  price,
  candidates: alternativesOf(ranking),
  real,
});
