import { REPLAYED_KINDS, type ReplayDifference, type ReplayView, type ReplayedKind } from '@davit/contracts';

/** Decisions that could not be taken again are told up to so many. */
const MOST_LEFT_OUT = 200;

type Counts = Pick<ReplayView, 'kinds' | 'compared' | 'differing' | 'differences' | 'left' | 'notJudged'>;

/** Counts what was taken again, and keeps what would have been another decision. */
export class Tally {
  private readonly kinds = new Map<ReplayedKind, { compared: number; differing: number }>();
  private readonly differences: ReplayDifference[] = [];
  private readonly notJudged: ReplayView['notJudged'] = [];

  constructor(private readonly most: number) {}

  add(answer: ReplayDifference): void {
    const count = this.kinds.get(answer.kind) ?? { compared: 0, differing: 0 };
    count.compared += 1;
    this.kinds.set(answer.kind, count);
    if (answer.was.outcome === answer.would.outcome) return;
    count.differing += 1;
    if (this.differences.length < this.most) this.differences.push(answer);
  }

  leaveOut(position: number, reason: string): void {
    if (this.notJudged.length < MOST_LEFT_OUT) this.notJudged.push({ position, reason });
  }

  counts(): Counts {
    const kinds = REPLAYED_KINDS.map((kind) => ({ kind, ...(this.kinds.get(kind) ?? { compared: 0, differing: 0 }) }));
    const sum = (count: 'compared' | 'differing'): number => kinds.reduce((total, one) => total + one[count], 0);
    const differing = sum('differing');
    return {
      kinds,
      compared: sum('compared'),
      differing,
      differences: this.differences,
      left: differing - this.differences.length,
      notJudged: this.notJudged,
    };
  }
}
