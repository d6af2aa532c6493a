import type { Reach, ReachCounts } from '@davit/domain';

/** How the last probe of each server that works reached it, over all that this instance watches. */
export class Reached {
  private readonly last = new Map<string, Reach>();
  private readonly totals: Record<Reach, number> = { answered: 0, refused: 0, unreachable: 0 };

  get counts(): ReachCounts {
    return this.totals;
  }

  note(id: string, reach: Reach): void {
    this.forget(id);
    this.last.set(id, reach);
    this.totals[reach] += 1;
  }

  forget(id: string): void {
    const before = this.last.get(id);
    if (before === undefined) return;
    this.last.delete(id);
    this.totals[before] -= 1;
  }
}
