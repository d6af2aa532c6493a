import type { EventOf } from '@davit/contracts';
import type { Meter } from '../lifecycle/meter.js';
import type { ReplicaState } from '../lifecycle/state.js';
import type { Ranking } from '../placement/ranking.js';
import { isRefusal } from '../replica/failure.js';
import { type Moment, decisionOf, iso } from './free-slot.js';
import {
  type Fall,
  type Outcome,
  type ReplayedDecision,
  type ReplayedMachine,
  type ReplayedWait,
  offerOf,
  outcomeOf,
} from './result.js';

export type RealDecision = EventOf<'replica'> & { readonly type: 'davit.replica.placed' | 'davit.replica.deferred' };

/** One replica whose decisions were so far those really taken: whatever else happened to it is what really happened. */
export class SlotInStep {
  readonly decisions: ReplayedDecision[] = [];
  readonly waits: ReplayedWait[] = [];
  readonly falls: Fall[] = [];
  private readonly ids: Set<string>;
  private wait: { readonly fromMs: number; readonly reason: string } | null = null;

  /** @param ids replicas of this slot that there were when the window began */
  constructor(ids: Iterable<string>) {
    this.ids = new Set(ids);
  }

  agree(ranking: Ranking, now: Moment, real: NonNullable<ReplayedDecision['real']>): void {
    const outcome = outcomeOf(ranking);
    const fresh = ranking.chosen?.price.status === 'fresh' ? ranking.chosen.price.price : null;
    this.decisions.push(decisionOf(ranking, outcome, fresh, now, real));
    if (outcome.outcome === 'waits') this.wait ??= { fromMs: now.ms, reason: outcome.reason };
    else {
      this.follow(real.replica);
      this.endWait(now.ms);
    }
  }

  /** It is one of this slot's from here on. */
  follow(id: string): void {
    this.ids.add(id);
  }
  isOwn(id: string): boolean {
    return this.ids.has(id);
  }

  fell({ time, position, data }: EventOf<'replica'> & { readonly type: 'davit.replica.failed' }): void {
    const offer = offerOf(data.placement);
    if (offer === null || data.hadServed || !isRefusal(data.class)) return;
    this.falls.push({
      at: time,
      position,
      offer,
      because: `${data.replicaId} was refused there: ${data.reason}: ${data.detail}`,
    });
  }

  /** It goes another way from here on. */
  endWait(ms: number): void {
    if (this.wait) this.waits.push({ from: iso(this.wait.fromMs), to: iso(ms), reason: this.wait.reason });
    this.wait = null;
  }

  finish(
    replicas: readonly ReplicaState[],
    fromMs: number,
  ): {
    readonly machines: readonly ReplayedMachine[];
    readonly meters: readonly Meter[];
  } {
    if (this.wait) this.waits.push({ from: iso(this.wait.fromMs), to: null, reason: this.wait.reason });
    const own = replicas.flatMap((replica) => {
      const { meter, id } = replica;
      const ended = meter?.until != null && Date.parse(meter.until) <= fromMs;
      return this.ids.has(id) && meter && !ended ? [{ replica, meter }] : [];
    });
    return {
      machines: own.map(({ replica, meter }) => machineOf(replica, meter)),
      meters: own.map(({ meter }) => meter),
    };
  }
}

const machineOf = ({ placement, readyAt, price }: ReplicaState, { since, until }: Meter): ReplayedMachine => ({
  offer: offerOf(placement) ?? 'adopted',
  from: since,
  to: until,
  readyAt,
  readyBy: readyAt === null ? null : 'real',
  price,
});

export const realOutcome = ({ data, position, type }: RealDecision): NonNullable<ReplayedDecision['real']> => {
  const chosen = data.evidence.find(({ verdict }) => verdict === 'chosen');
  const where: Outcome =
    type === 'davit.replica.placed' && 'placement' in data
      ? { outcome: 'placed', offer: offerOf(data.placement), rung: data.rung, reason: chosen?.reason ?? '' }
      : { outcome: 'waits', offer: null, rung: null, reason: 'retryAt' in data ? data.reason : '' };
  return { ...where, replica: data.replicaId, position };
};

/** When it was really decided: the writer's own clock, as far as the ages of its evidence tell it. */
export function decidedAtMs({ data, time }: RealDecision): number {
  for (const { observedAt, ageMs } of data.evidence)
    if (observedAt !== null && ageMs != null && ageMs > 0) return Date.parse(observedAt) + ageMs;
  return Date.parse(time);
}
