import { z } from 'zod';

/** Lower-case DNS label: what names of tenants, deployments and served models are made of. */
export const NAME_PATTERN = /^[a-z]([a-z0-9-]*[a-z0-9])?$/;

export const NAME_ERROR =
  'is not a name; write lower-case letters, digits and hyphens, beginning with a letter, for example "qwen3-8b"';

export const tenantName = z.string({ error: NAME_ERROR }).max(40).regex(NAME_PATTERN, { error: NAME_ERROR });
export const deploymentName = z.string({ error: NAME_ERROR }).max(50).regex(NAME_PATTERN, { error: NAME_ERROR });

/** `<tenant>/<deployment>`: names one deployment for ever. */
export const deploymentKey = z.string().regex(/^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/);

/** `<tenant>/<deployment>-<revision>-<ordinal>-<incarnation>`: names one life of one replica; never used again. */
export const replicaId = z.string().regex(/^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*-\d+-\d+-\d+$/);

/** `<tenant>/<deployment>-<revision>-<attempt>`: names one attempt to bring one revision into production; never used again. */
export const rolloutId = z.string().regex(/^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*-\d+-\d+$/);

/** Name of the thing at the provider, derived from the replica id; at most 26 characters. */
export const externalKey = z.string().regex(/^[a-z][a-z0-9-]{0,24}[a-z0-9]$/);

/** Place of an event in the whole log: 1, 2, 3, … without gaps. */
export const position = z.int().positive();

/** RFC 3339 instant in UTC. */
export const instant = z.iso.datetime({ offset: false });

/** A decimal number as text, never a float. */
export const decimal = z.string().regex(/^\d+(\.\d+)?$/);

export const currency = z.string().regex(/^[A-Z]{3}$/);

/** How a machine is paid for. A price of one market says nothing of another. */
export const priceMarket = z.enum(['on-demand', 'spot', 'bid', 'serverless']);
export type PriceMarket = z.infer<typeof priceMarket>;

/**
 * An amount per hour with its source; quoted, catalogue and billed prices are different facts. What stands as optional is
 * absent in logs of older versions, and where the source does not say it.
 */
export const hourlyPrice = z.strictObject({
  amount: decimal,
  currency,
  unit: z.enum(['gpu-hour', 'instance-hour']),
  kind: z.enum(['quoted', 'catalogue', 'billed']),
  source: z.string().min(1),
  /** When it was received; for a catalogue, when the source says that it was made. */
  observedAt: instant,
  market: priceMarket.optional(),
  /** Of a serverless worker: what it does for this price. */
  workerState: z.enum(['active', 'idle', 'stopped']).optional(),
  /** Whether the disk is in the amount. */
  storage: z.enum(['included', 'excluded']).optional(),
  /** From here on it is stale: it may be shown, and authorises nothing. */
  staleAfter: instant.optional(),
  /** The provider holds to it until here. Without it a price is an estimate. */
  guaranteedUntil: instant.optional(),
});
export type HourlyPrice = z.infer<typeof hourlyPrice>;

/** What a failure is, which decides what may follow it. */
export const errorClass = z.enum(['transient', 'capacity', 'quota', 'auth', 'config', 'not-found', 'unknown', 'bug']);
export type ErrorClass = z.infer<typeof errorClass>;

/** Share of the requests of an alias that a target gets, relative to the others. */
export const DEFAULT_WEIGHT = 100;
export const MAX_WEIGHT = 1_000;
