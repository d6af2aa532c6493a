import { z } from 'zod';
import { ROLES } from './api/operations/define.js';
import { instant, tenantName } from './primitives.js';

export const role = z.enum(ROLES);

/** Names an API key for ever; no secret. */
export const keyId = z.string().regex(/^[a-z0-9]{12}$/, { error: 'is not the id of a key; see `davit keys list`' });

/** SHA-256 of a secret of 256 random bits, which no guess reaches. */
export const secretHash = z.string().regex(/^[0-9a-f]{64}$/);

/** Stands in the place of a tenant where an event is of no single one, and is the name of none. */
export const EVERY_TENANT = '*';

/** Whose things may be seen and changed. */
export const keyTenants = z.union([z.literal('all'), z.array(tenantName).min(1).max(100)], {
  error: 'is neither "all" nor a list of tenants',
});
export type KeyTenants = z.infer<typeof keyTenants>;

/** An API key as it is shown: never with its secret. */
export const keyView = z.object({
  id: keyId,
  name: z.string(),
  role,
  tenants: keyTenants,
  state: z.enum(['usable', 'expired', 'revoked']),
  createdAt: instant,
  /** Who made it; null where nobody said. */
  createdBy: z.string().nullable(),
  expiresAt: instant.nullable(),
  rotatedAt: instant.nullable(),
  /** Until then the secret before the last rotation works, too; null when none does. */
  previousUntil: instant.nullable(),
  revokedAt: instant.nullable(),
  position: z.int(),
});
export type KeyView = z.infer<typeof keyView>;

/** Body of `POST /v1/keys`. */
export const createKeyRequest = z.strictObject({
  /** What it is for, for example `ci@search`: what it does is written down under this name. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._@:/+-]*$/u, {
      error: 'is not a name of a key; write letters, digits and . _ @ : / + -, for example "ci@search"',
    }),
  role,
  tenants: keyTenants,
  expiresAt: instant.nullable().default(null),
});
export type CreateKeyRequest = z.output<typeof createKeyRequest>;

/** Longest overlap of two secrets of one key: thirty days. */
export const MAX_OVERLAP_SECONDS = 2_592_000;

/** Body of `POST /v1/keys/{id}/rotate`. */
export const rotateKeyRequest = z.strictObject({
  /** How long the secret before it works, too; 0 ends it at once. */
  overlapSeconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(3_600),
});

/** Body of `POST /v1/keys/{id}/revoke`. */
export const revokeKeyRequest = z.strictObject({
  /** Why, in the words of whoever asks; it stays in the log. */
  reason: z.string().trim().min(1).max(2_000),
});

/** Answer to what makes a secret: the only time that it is shown. */
export const keySecret = z.object({ key: keyView, secret: z.string() });
export type KeySecret = z.infer<typeof keySecret>;
