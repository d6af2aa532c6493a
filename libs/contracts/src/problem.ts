import { z } from 'zod';

/** One mistake in an input: where it stands, what is wrong, and what would be right. */
export const fieldProblem = z.strictObject({
  /** Path as a user writes it, for example `spec.compute.placements[2].accelerator`. */
  path: z.string(),
  message: z.string(),
  remedy: z.string(),
});
export type FieldProblem = z.infer<typeof fieldProblem>;

/** RFC 9457 problem document. Some have further members: where the text stops being JSON, or what became of an intent. */
export const problemDocument = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  /** Stable machine-readable code, for example `invalid-spec`. */
  code: z.string(),
  errors: z.array(fieldProblem).optional(),
});
export type ProblemDocument = z.infer<typeof problemDocument>;
