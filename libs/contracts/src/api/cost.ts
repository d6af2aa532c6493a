import { z } from 'zod';
import { currency, decimal, position } from '../primitives.js';

export const COST_GROUPS = ['deployment', 'tenant', 'day', 'replica'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

/** A day in UTC, `2026-11-30`. */
export const costDay = z.iso.date();

/** `quoted`, `catalogue`, `billed`; text, since a log may hold a kind that is no more. */
const priceKind = z.string().min(1);

const amounts = {
  /** For the time in which the provider itself showed the machine run. */
  confirmed: decimal,
  /** At most this was spent: from a launch that may have made a machine to proven absence. Confirmed amounts are in it. */
  held: decimal,
  /** Held on an earlier day, and known since to have been no machine. It comes off on the day on which that became known. */
  takenBack: decimal,
};

/** What was spent in one currency; amounts of two currencies are never added. */
export const costFigure = z.object({
  currency,
  ...amounts,
  /** The same, by what the price is: an answer to a question, a list, or the provider's own bill. */
  byKind: z.array(z.object({ kind: priceKind, ...amounts })),
  /**
   * Billed, and what the price before the bill would have come to, for the same machines and times; null while nothing was
   * billed or nothing was said before.
   */
  deviation: z.object({ billed: decimal, estimate: decimal, percent: z.string() }).nullable(),
});
export type CostFigure = z.infer<typeof costFigure>;

const milliseconds = z.int().nonnegative();
/** Positions of the events that a figure rests on; `more` were left out. */
const citations = z.object({ positions: z.array(position), more: z.int().nonnegative() });

export const costRow = z.object({
  /** Null where rows are not told apart by it. */
  day: costDay.nullable(),
  tenant: z.string().nullable(),
  /** Null also for orphans, which belong to none. */
  deployment: z.string().nullable(),
  /** Id of the replica, key of an orphan, or `canary:` and the external key of an endpoint that proved a candidate. */
  replica: z.string().nullable(),
  figures: z.array(costFigure),
  /** Machine time at a price that nobody said: it comes on top, and is never counted as free. */
  unpriced: z.object({ confirmedMs: milliseconds, heldMs: milliseconds, takenBackMs: milliseconds }),
  machines: z.int().nonnegative(),
  /** Those of them whose books cannot be read: what they cost is not known, and comes on top. */
  unreadable: z.int().nonnegative().default(0),
  /** Those of them that no replica owns. They are held, never confirmed, and count against no budget. */
  orphans: z.int().nonnegative().default(0),
  /** Those of them that count as billing at the end of the time that is told. */
  billing: z.int().nonnegative(),
  /** True when nothing can change it any more. */
  closed: z.boolean(),
  evidence: z.object({ confirmed: citations, held: citations }),
});
export type CostRow = z.infer<typeof costRow>;

/** Answer of `GET /v1/cost`. */
export const costView = z.object({
  from: costDay,
  /** Inclusive. */
  to: costDay,
  by: z.enum(COST_GROUPS),
  rows: z.array(costRow),
  /** Rows that were left out because there are too many; they are in the total. */
  left: z.int().nonnegative(),
  /** The sum of all rows, to the last digit. */
  total: costRow,
  position: z.int().nonnegative(),
});
export type CostView = z.infer<typeof costView>;
