import { z } from 'zod';
import { currency, decimal } from '../primitives.js';

/** Milliseconds since the epoch, or a time span in milliseconds. */
export const ms = z.number().nonnegative();
export const count = z.int().nonnegative();
/** SHA-256 in hexadecimal. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
export const money = z.object({ amount: decimal, currency });
/** A name that a machine gave: of a worker, a model, an image, a template. No sentence fits in it. */
export const token = z.string().regex(/^[\w./:@+-]{0,200}$/);
/** Workers by the provider's own word for their status. */
export const workersByStatus = z.record(z.string().regex(/^[\w -]{1,60}$/), count);

/**
 * Text whose words are veiled (`veiledContract` of the domain): numbers and punctuation, and the literals of JSON. What
 * people asked and what was answered is not kept.
 */
export const veiledText = z
  .string()
  .max(20_000)
  .regex(/^(?:true|false|null|[^\p{L}\p{M}])*$/u, 'holds words: evidence keeps veiled text only, see veiledContract');
