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

/** Name of the thing at the provider, derived from the replica id; at most 26 characters. */
export const externalKey = z.string().regex(/^[a-z][a-z0-9-]{0,24}[a-z0-9]$/);

/** Place of an event in the whole log: 1, 2, 3, … without gaps. */
export const position = z.int().positive();

/** RFC 3339 instant in UTC. */
export const instant = z.iso.datetime({ offset: false });

/** A decimal number as text, never a float. */
export const decimal = z.string().regex(/^\d+(\.\d+)?$/);

/** An amount per hour with its source; quoted, catalogue and billed prices are different facts. */
export const hourlyPrice = z.strictObject({
  amount: decimal,
  currency: z.string().regex(/^[A-Z]{3}$/),
  unit: z.enum(['gpu-hour', 'instance-hour']),
  kind: z.enum(['quoted', 'catalogue', 'billed']),
  source: z.string().min(1),
  observedAt: instant,
});
export type HourlyPrice = z.infer<typeof hourlyPrice>;

/** What a failure is, which decides what may follow it. */
export const errorClass = z.enum(['transient', 'capacity', 'quota', 'auth', 'config', 'not-found', 'unknown', 'bug']);
export type ErrorClass = z.infer<typeof errorClass>;
