import { z } from 'zod';
import { hourlyPrice, instant, priceMarket } from './primitives.js';

/** One rung of a deployment's ladder after normalisation: where a replica may run. */
export const placement = z.strictObject({
  cloud: z.string(),
  region: z.string().nullable(),
  accelerator: z.strictObject({ name: z.string(), count: z.int().positive() }).nullable(),
  spot: z.boolean(),
  maxHourlyPrice: z.string().nullable(),
});
export type Placement = z.infer<typeof placement>;

export const stockState = z.enum(['available', 'constrained', 'unavailable', 'unknown']);
export type StockState = z.infer<typeof stockState>;

/** What an advisor said of one placement; past `expiresAt` it says nothing (unknown). */
export const stockSignal = z.strictObject({
  state: stockState,
  source: z.string(),
  scope: z.enum(['global', 'region', 'zone', 'none']),
  /** The provider's own word, kept for explanation. */
  level: z.string().nullable(),
  observedAt: instant,
  expiresAt: instant,
  price: hourlyPrice.nullable(),
  detail: z.string(),
  /** What was asked, where that is more than the placement itself says. Absent in logs of older versions, as is the rest. */
  asked: z
    .strictObject({
      count: z.int().positive(),
      region: z.string().nullable(),
      market: priceMarket,
      diskGiB: z.int().positive().nullable(),
    })
    .optional(),
  /** The provider's own words, by the field they stood in: text of at most 200 characters each. */
  raw: z.record(z.string().max(60), z.string().max(200)).optional(),
  /** How far own history lets the state be believed, 0 to 1: refusals lower it for a while, starts raise it. */
  confidence: z.number().min(0).max(1).optional(),
  /** True when waiting cannot help, for example a count no machine of the provider has. */
  permanent: z.boolean(),
});
export type StockSignal = z.infer<typeof stockSignal>;
