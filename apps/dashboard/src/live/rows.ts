/** A list as the server has it at a position of the log. */
export interface Rows<Row> {
  readonly position: number;
  readonly items: readonly Row[];
  /** Where the page after this begins; there where a list can be asked for what changed. */
  readonly next?: string | null;
}

/** Position of rows that are to be asked for whole. */
export const NOWHERE = -1;

export interface Keyed<Row> {
  readonly keyOf: (row: Row) => string;
  /** Rows that are shown no more: told once more with their last state, and then left out. */
  readonly isGone: (row: Row) => boolean;
}

/** A list with what changed since then. Rows that did not change stay the very same objects, so nothing is drawn again for them. */
export function mergeRows<Row>(known: Rows<Row>, changed: Rows<Row>, { keyOf, isGone }: Keyed<Row>): Rows<Row> {
  if (changed.items.length === 0) return { ...known, position: changed.position };
  const byKey = new Map(known.items.map((row) => [keyOf(row), row]));
  for (const row of changed.items) {
    if (isGone(row)) byKey.delete(keyOf(row));
    else byKey.set(keyOf(row), row);
  }
  return { ...known, position: changed.position, items: [...byKey.values()] };
}
