import { z } from 'zod';
import { keyId, keyTenants, role, secretHash } from '../access.js';
import { instant } from '../primitives.js';
import { defineEvent } from './define.js';

const key = { keyId, tenants: keyTenants };

/** Stream `access/<keyId>`, written by spec-api. Who did it is the event's actor; of a secret only its hash is ever here. */
export const accessEvents = [
  defineEvent(
    'davit.access.key-created',
    1,
    z.strictObject({
      ...key,
      /** What it is for, in the words of whoever made it; what it does is written down under this name. */
      name: z.string().min(1).max(100),
      role,
      secretHash,
      /** From here on it opens nothing; null for one that does not expire. */
      expiresAt: instant.nullable(),
    }),
  ),
  /** It has another secret; the one before it works until `previousUntil`, so that its users can change over. */
  defineEvent('davit.access.key-rotated', 1, z.strictObject({ ...key, secretHash, previousUntil: instant })),
  /** It opens nothing any more, and never again. */
  defineEvent('davit.access.key-revoked', 1, z.strictObject({ ...key, reason: z.string().max(2_000) })),
] as const;
