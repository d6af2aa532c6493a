import { z } from 'zod';
import { currency, decimal, instant, position } from '../primitives.js';

/** A moment of the log: a position, and the time that it stands for. */
export const moment = z.object({ position: z.int().nonnegative(), at: instant });
export type Moment = z.infer<typeof moment>;

export const DIFF_KINDS = [
  'deployment',
  'replica',
  'resource',
  'route',
  'rollout',
  'orphan',
  'alarm',
  'budget',
] as const;
export type DiffKind = (typeof DIFF_KINDS)[number];

/** The event that made a change. */
export const changedBy = z.object({
  position,
  type: z.string(),
  at: instant,
  /** The service that wrote it. */
  source: z.string(),
  /** Who asked for it, where somebody did. */
  actor: z.string().nullable(),
});
export type ChangedBy = z.infer<typeof changedBy>;

export const fieldChange = z.object({
  /** `status`, `conditions.Available.status`, `targets[0].url`. */
  field: z.string(),
  /** Any JSON value; absent where there was none. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  /** The last event that changed it in between. */
  by: changedBy,
});
export type FieldChange = z.infer<typeof fieldChange>;

export const diffItem = z.object({
  kind: z.enum(DIFF_KINDS),
  /** Id of a replica, `<tenant>/<name>` of a deployment or route, external key of a resource, and so on. */
  name: z.string(),
  tenant: z.string(),
  /** `<tenant>/<name>`; null for what belongs to none. */
  deployment: z.string().nullable(),
  change: z.enum(['appeared', 'changed', 'gone']),
  fields: z.array(fieldChange),
  /** Position of the last event that changed it. */
  position,
});
export type DiffItem = z.infer<typeof diffItem>;

const amounts = z.array(z.object({ currency, amount: decimal }));

/** What a deployment came to cost in between; a row without deployment is of orphans. */
export const costChange = z.object({
  tenant: z.string(),
  deployment: z.string().nullable(),
  /** Held in between: at most this was spent. */
  spent: amounts,
  /** Machine time in between at a price that nobody said: it comes on top. */
  unpricedMs: z.int().nonnegative(),
  /** An hour, of what billed at the beginning and at the end. */
  hourlyBefore: amounts,
  hourlyAfter: amounts,
  /** Positions of the prices that it is reckoned with. */
  positions: z.array(position),
});
export type CostChange = z.infer<typeof costChange>;

/** Answer of `GET /v1/diff`: what is other at `to` than at `from`, and which event made each difference. */
export const diffView = z.object({
  from: moment,
  to: moment,
  items: z.array(diffItem),
  costs: z.array(costChange),
  /** Items that were left out because there are too many. */
  left: z.int().nonnegative(),
  /** Events in between. */
  events: z.int().nonnegative(),
});
export type DiffView = z.infer<typeof diffView>;
