import { isObject, objectBody, type JsonObject } from '../../http/wire.js';

type Operation = (value: unknown, to: unknown) => boolean;

const ordered =
  (holds: (difference: number) => boolean): Operation =>
  (value, to) => {
    if (typeof value === 'number' && typeof to === 'number') return holds(value - to);
    return typeof value === 'string' && typeof to === 'string' && holds(value < to ? -1 : value > to ? 1 : 0);
  };

const OPERATIONS: Readonly<Record<string, Operation>> = {
  eq: (value, to) => value === to,
  neq: (value, to) => value !== to,
  gt: ordered((difference) => difference > 0),
  gte: ordered((difference) => difference >= 0),
  lt: ordered((difference) => difference < 0),
  lte: ordered((difference) => difference <= 0),
  in: (value, to) => Array.isArray(to) && to.includes(value),
  notin: (value, to) => Array.isArray(to) && !to.includes(value),
};

/** `{field: {op: value}}`, as `select_filters` of a query holds it. */
export const filtersOf = (query: URLSearchParams): JsonObject => objectBody(query.get('select_filters') ?? '{}') ?? {};

export const passes = (row: JsonObject, filters: JsonObject): boolean =>
  Object.entries(filters).every(([field, operations]) => {
    if (!isObject(operations)) return row[field] === operations;
    return Object.entries(operations).every(([name, to]) => OPERATIONS[name]?.(row[field], to) === true);
  });

/** The fields that `select_cols` names; without it, or with `*`, all. */
export function columnsOf(row: JsonObject, query: URLSearchParams): JsonObject {
  const given: unknown = JSON.parse(query.get('select_cols') ?? '["*"]');
  if (!Array.isArray(given) || given.includes('*')) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => given.includes(name)));
}

/** One page of rows, and the token of the next. A token is the place to go on from. */
export function page<Row>(
  rows: readonly Row[],
  query: URLSearchParams,
  usual: number,
  most: number,
): { readonly rows: readonly Row[]; readonly next: string | null } | undefined {
  const limit = Math.min(most, Number(query.get('limit') ?? usual));
  const token = query.get('after_token') ?? '';
  const from = token === '' ? 0 : placeIn(token);
  if (!Number.isInteger(from) || !Number.isInteger(limit) || limit < 1) return undefined;
  const next = from + limit < rows.length ? Buffer.from(`after:${from + limit}`).toString('base64url') : null;
  return { rows: rows.slice(from, from + limit), next };
}

const placeIn = (token: string): number =>
  Number(/^after:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1]);
