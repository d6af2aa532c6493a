import { type Room, objectionsOfBudgets, roomsOf, takeFrom } from './budget.js';
import type { JudgedCandidate } from './judge.js';
import { joined } from './objections.js';
import { Places } from './places.js';
import type { PlacementQuestion } from './question.js';
import type { Objection } from './ranking.js';

/** A candidate that stands in line. */
export type Placed = {
  readonly candidate: JudgedCandidate;
  /** Its row among the scores. */
  readonly row: number;
  /** See {@link Places}. */
  readonly place: number;
};

/** Replicas that are placed one after the other, each from what those before it left. */
export class Line {
  private readonly places: Places;
  private readonly ordered: readonly Placed[];
  private rooms: readonly Room[];

  /** @param compare orders rows of candidates, as if no replica were anywhere; zero for none but the same */
  constructor(
    question: Pick<PlacementQuestion, 'spread' | 'neighbours' | 'budgets'>,
    candidates: readonly JudgedCandidate[],
    compare: (a: Placed, b: Placed) => number,
  ) {
    const places = new Places(question);
    this.places = places;
    this.ordered = candidates
      .map((candidate, row): Placed => ({ candidate, row, place: places.of(candidate.placement) }))
      .sort(compare);
    this.rooms = roomsOf(question.budgets);
  }

  /** Replicas at the place of a candidate; null when nothing is spread. */
  neighboursOf({ place }: Placed): number | null {
    return this.places.areSpread ? this.places.in(place) : null;
  }

  /** In the order in which the next replica would take them. */
  inOrder(): readonly Placed[] {
    if (!this.places.areSpread) return this.ordered;
    const byCount: Placed[][] = [];
    for (const one of this.ordered) (byCount[this.places.in(one.place)] ??= []).push(one);
    return byCount.flat();
  }

  objectionsTo({ candidate: { objections, cost } }: Placed): readonly Objection[] {
    return joined(objections, objectionsOfBudgets(cost, this.rooms));
  }

  /** Places one replica; false when that changes nothing for the next. */
  take(): boolean {
    if (!this.places.areSpread && this.rooms.length === 0) return false;
    let taken: { readonly one: Placed; readonly count: number } | undefined;
    for (const one of this.ordered) {
      if (one.candidate.objections.length > 0) continue;
      const count = this.neighboursOf(one) ?? 0;
      if (taken && count >= taken.count) continue;
      if (this.objectionsTo(one).length > 0) continue;
      taken = { one, count };
      if (count === 0) break;
    }
    if (!taken) return false;
    this.places.add(taken.one.place);
    this.rooms = takeFrom(this.rooms, taken.one.candidate.cost);
    return true;
  }
}
