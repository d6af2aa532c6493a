import type { EventLog } from '@davit/event-log';
import type { ProjectionDefinition, ReadModel } from '../projection.js';
import { foldUpTo } from '../rebuild.js';
import { BranchingStore } from './branching-store.js';

export interface MomentsOptions {
  readonly definition: ProjectionDefinition;
  readonly log: Pick<EventLog, 'read'>;
  /** Moments kept at even distances over the log; at twice as many the distance is doubled. Default 128. */
  readonly milestones?: number;
  /** Moments kept beside them, those that were asked for last. Default 64. */
  readonly recent?: number;
}

/** Of milestones, while the log is short. */
const FIRST_SPACING = 1_000;
/** So far apart, moments are kept right before one that was asked for: who looks back goes on looking back. */
const STEP = 250;
const STEPS = 4;
/** What lies farther than this from every moment that is kept waits for its turn. */
const SHORT = 2 * FIRST_SPACING;

/** Whoever asked went away before the fold came to its end. */
export class AbandonedError extends Error {
  readonly code = 'abandoned';
}

/**
 * The documents of a projection as they were at any position: the fold of the log up to there, by the code that folds the live
 * ones. It goes on from the nearest moment that is kept, so that it costs as many events as lie in between.
 */
export class Moments {
  private readonly milestones = new Map<number, BranchingStore>();
  private readonly recent = new Map<number, BranchingStore>();
  private spacing = FIRST_SPACING;
  /** Folds run one after the other, long ones apart from short ones: no fold is made twice, and no short one waits for a long one. */
  private readonly lanes = { short: Promise.resolve(), long: Promise.resolve() };

  constructor(private readonly options: MomentsOptions) {}

  /**
   * @param position of an event of the log, or 0
   * @throws AbandonedError when the signal fires first; CannotApplyError for an event that the fold cannot read
   */
  async at(position: number, signal?: AbortSignal): Promise<ReadModel> {
    const lane = position - this.nearest(position) > SHORT ? 'long' : 'short';
    const mine = this.lanes[lane].then(() => this.kept(position) ?? this.folded(position, signal));
    const over = (): void => undefined;
    this.lanes[lane] = mine.then(over, over);
    return mine;
  }

  /** How many are kept. */
  get size(): number {
    return this.milestones.size + this.recent.size;
  }

  private async folded(position: number, signal: AbortSignal | undefined): Promise<ReadModel> {
    const { definition, log } = this.options;
    const from = this.nearest(position);
    const store = this.kept(from)?.branch() ?? new BranchingStore();
    let reached = from;
    for (const stop of this.stopsBetween(from, position)) {
      ({ position: reached } = await foldUpTo(definition, log, store, reached, stop, signal ? { signal } : {}));
      if (reached === stop) this.keep(stop, store.branch());
      else break;
    }
    if (reached === position) return store;
    if (signal?.aborted) throw new AbandonedError(`nobody waits any more for the fold up to ${position}`);
    throw new RangeError(`the log ends at ${reached}, before ${position}`);
  }

  /** The nearest position at or below, of which the moment is kept; 0 is always known. */
  private nearest(position: number): number {
    let nearest = 0;
    for (const kept of [...this.milestones.keys(), ...this.recent.keys()])
      if (kept <= position && kept > nearest) nearest = kept;
    return nearest;
  }

  private kept(position: number): BranchingStore | undefined {
    const recent = this.recent.get(position);
    // What is used stays longest.
    if (recent) this.keep(position, recent);
    return recent ?? this.milestones.get(position);
  }

  private stopsBetween(from: number, position: number): readonly number[] {
    const stops = new Set<number>([position]);
    for (let at = nextMultiple(from, this.spacing); at < position; at += this.spacing) stops.add(at);
    for (let steps = 0, at = position - (position % STEP); steps < STEPS && at > from; steps++, at -= STEP)
      stops.add(at);
    return [...stops].sort((a, b) => a - b);
  }

  private keep(position: number, store: BranchingStore): void {
    const { milestones = 128, recent = 64 } = this.options;
    if (position % this.spacing === 0) this.milestones.set(position, store);
    else {
      this.recent.delete(position);
      this.recent.set(position, store);
    }
    const [oldest] = this.recent.keys();
    if (this.recent.size > recent && oldest !== undefined) this.recent.delete(oldest);
    if (this.milestones.size > milestones) this.thin();
  }

  private thin(): void {
    this.spacing *= 2;
    for (const position of [...this.milestones.keys()])
      if (position % this.spacing !== 0) this.milestones.delete(position);
  }
}

const nextMultiple = (from: number, spacing: number): number => (Math.floor(from / spacing) + 1) * spacing;
