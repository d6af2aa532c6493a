/** A name and its labels. */
export class Series {
  /** @param pairs names and values of labels by turns, in the order of the line; each name once */
  constructor(
    readonly name: string,
    readonly pairs: readonly string[],
  ) {}

  label(name: string): string | undefined {
    const { pairs } = this;
    for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === name) return pairs[at + 1];
    return undefined;
  }
}

/** One value of a series. */
export type Sample = {
  readonly series: Series;
  /** Finite. */
  readonly value: number;
  /** In the unit the server chose; null where it wrote none. */
  readonly timestamp: number | null;
};
