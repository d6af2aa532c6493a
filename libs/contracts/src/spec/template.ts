import { z } from 'zod';

/**
 * What a Vast template holds, from which Davit makes a new template for each content. Values of variables stand here only
 * where they are no secrets: those are named in `spec.secrets`, and their values are added when the template is made.
 */
export const templateContent = z.strictObject({
  image: z.string(),
  /** Plain variables by name. */
  env: z.record(z.string(), z.string()),
  /** Ports of the container that are mapped. */
  ports: z.array(z.int().min(1).max(65_535)),
  /** Script that runs when an instance starts. */
  onStart: z.string().nullable(),
  /** Arguments of the image's own entry point. */
  args: z.string().nullable(),
  diskGiB: z.int().positive(),
});
export type TemplateContent = z.infer<typeof templateContent>;
