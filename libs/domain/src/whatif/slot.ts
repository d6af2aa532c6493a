import type { Meter } from '../lifecycle/meter.js';
import type { ReplicaState } from '../lifecycle/state.js';
import type { Ranking } from '../placement/ranking.js';
import { FreeSlot, type Moment, type ReadyMs } from './free-slot.js';
import { SlotInStep } from './in-step.js';
import type { Fall, ReplayedDecision, ReplayedMachine, ReplayedWait } from './result.js';

/** One place of a replayed deployment: in step with the real one, and from its first other decision on, free. */
export class ReplaySlot {
  divergedAt: number | null = null;
  free: FreeSlot | null;
  private readonly before: SlotInStep | null;

  /** @param own the real replicas that it begins with; null where the real deployment has no such place */
  constructor(
    readonly ordinal: number,
    own: readonly ReplicaState[] | null,
  ) {
    this.before = own ? new SlotInStep(own.map(({ id }) => id)) : null;
    this.free = own ? null : new FreeSlot();
  }

  /** Null once it goes its own way. */
  get inStep(): SlotInStep | null {
    return this.free ? null : this.before;
  }

  /** It had this real replica while it was in step. */
  had(id: string): boolean {
    return this.before?.isOwn(id) ?? false;
  }

  diverge(ranking: Ranking, now: Moment, readyMs: (offer: string) => ReadyMs, real: ReplayedDecision['real']): void {
    this.divergedAt = now.position;
    this.before?.endWait(now.ms);
    this.free = new FreeSlot();
    this.free.decide(ranking, now, readyMs, real);
  }

  /** The real deployment gives this place up, and the replayed one does not: what it has there goes on. */
  letGo(own: readonly ReplicaState[], now: Moment, readyMs: (offer: string) => ReadyMs): void {
    if (this.free) return;
    this.divergedAt = now.position;
    this.before?.endWait(now.ms);
    this.free = new FreeSlot();
    const running = own.find(
      ({ status, placement }) => placement !== null && (status === 'ready' || status === 'launching'),
    );
    if (running?.placement) this.free.takeOver(running.placement, running.price, running.readyAt, now, readyMs);
  }

  /** Not wanted any more. */
  end(now: Moment): void {
    this.free?.end(now);
  }

  get decisions(): readonly ReplayedDecision[] {
    return [...(this.before?.decisions ?? []), ...(this.free?.decisions ?? [])];
  }
  get waits(): readonly ReplayedWait[] {
    return [...(this.before?.waits ?? []), ...(this.free?.waits ?? [])];
  }
  get falls(): readonly Fall[] {
    return [...(this.before?.falls ?? []), ...(this.free?.falls ?? [])];
  }

  finish(
    replicas: readonly ReplicaState[],
    fromMs: number,
    toMs: number,
  ): { readonly machines: readonly ReplayedMachine[]; readonly meters: readonly Meter[] } {
    const before = this.before?.finish(replicas, fromMs);
    const after = this.free?.finish(toMs);
    return {
      machines: [...(before?.machines ?? []), ...(after?.machines ?? [])],
      meters: [...(before?.meters ?? []), ...(after?.meters ?? [])],
    };
  }
}
