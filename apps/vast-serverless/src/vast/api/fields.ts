import { decimalText } from '@davit/domain';
import { z } from 'zod';

/**
 * The parts of Vast's answers that are read. Rows carry live keys in the real service; a field that is not named in a
 * schema is dropped where the answer is parsed and goes nowhere (law 13).
 */
export const id = z.int().positive();

/** A field that may be missing, null or of another form than documented: then it is unknown, and the rest still counts. */
export const maybeNumber = z.number().nullish().catch(null);
export const maybeText = z.string().nullish().catch(null);

/** Of answers whose numbers are read as text. */
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);
export const maybeIdText = idText.nullish().catch(null);
export const maybeNumberText = z.string().transform(Number).pipe(z.number()).nullish().catch(null);

/** An amount as decimal text; null where it is missing or is no amount. */
export const maybeAmount = z.string().transform(decimalText).nullish().catch(null);

/** As {@link maybeAmount}, and may be negative. */
export const maybeSignedAmount = z
  .string()
  .transform((text) => {
    const amount = decimalText(text.replace(/^-/, ''));
    return amount !== null && text.startsWith('-') ? `-${amount}` : amount;
  })
  .nullish()
  .catch(null);

/** Changes are confirmed by `success: true` alone; anything less is looked for. */
export const done = z.object({ success: z.literal(true) }).transform(() => null);

/** A new thing's id, which is `result` on one route and `id` on another. */
export const created = z
  .object({ id: id.optional(), result: id.optional() })
  .refine((body) => body.id !== undefined || body.result !== undefined, { error: 'has no id' })
  .transform((body) => body.id ?? body.result ?? 0);

/** What a deletion of an endpoint or a workergroup came to. Workers that failed to go bill on, whatever `success` says. */
export const deletion = z.object({
  success: z.literal(true),
  deleted_workers: z.array(id).default([]),
  failed_workers: z.array(id).default([]),
});
export type Deletion = Omit<z.infer<typeof deletion>, 'success'>;
