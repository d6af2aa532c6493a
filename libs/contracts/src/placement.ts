import { z } from 'zod';
import { hourlyPrice, instant } from './primitives.js';

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
  /** True when waiting cannot help, for example a count no machine of the provider has. */
  permanent: z.boolean(),
});
export type StockSignal = z.infer<typeof stockSignal>;
