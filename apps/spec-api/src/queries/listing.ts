import type { StoredDocument } from '@davit/projection';

/** A list, with the position of the log that it stands for. */
export interface Listing<Row> {
  readonly position: number;
  readonly items: readonly Row[];
  /** Ask with `after` set to this for what follows; null at the end. */
  readonly next: string | null;
}

/** Which part of a list is asked for; see the parameters of lists in the contract. */
export interface ListQuery {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly changedAfter?: number | undefined;
  /** Also what is over, dealt with or gone. */
  readonly all?: boolean;
}

type Keyed = Pick<StoredDocument, 'key' | 'position'>;

/**
 * The part of a list that is asked for, in the order of keys: however rows come and go between two pages, one that is there
 * throughout is in exactly one of them.
 * @param isPast what is left out unless it is asked for, or changed after the position that is asked for
 */
export function partOf<Row extends Keyed>(
  rows: readonly Row[],
  { limit, after, changedAfter, all = false }: ListQuery,
  isPast: (row: Row) => boolean = () => false,
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const wanted = rows
    .filter((row) => after === undefined || row.key > after)
    .filter((row) => (changedAfter === undefined ? all || !isPast(row) : row.position > changedAfter))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const shown = wanted.slice(0, limit);
  return { rows: shown, next: wanted.length > limit ? (shown.at(-1)?.key ?? null) : null };
}

/** True where nothing is asked for, or one of what is asked for is so. */
export const isOneOf = <Value>(wanted: readonly Value[] | undefined, value: Value): boolean =>
  wanted === undefined || wanted.includes(value);

/** The same for one value. */
export const isAsked = <Value>(wanted: Value | undefined, value: Value): boolean =>
  wanted === undefined || wanted === value;
