import { type FieldProblem, applyIntent, contentProblem, describeIssues } from '@davit/contracts';
import type { z } from 'zod';

/** What an intent says beside its content. */
export interface IntentFacts {
  readonly idempotencyKey: string | undefined;
  readonly actor: string | undefined;
  readonly ifMatch: number | undefined;
}
export const NO_FACTS: IntentFacts = { idempotencyKey: undefined, actor: undefined, ifMatch: undefined };

export type ReadBody<Content> =
  | { readonly ok: true; readonly facts: IntentFacts; readonly content: Content }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Reads the body of an apply intent: the manifest itself, or the manifest with key and actor around it. */
export function readApply(body: unknown, headerKey?: string): ReadBody<unknown> {
  if (!isWrapped(body)) return withKey({ ok: true, facts: NO_FACTS, content: body }, headerKey);
  const parsed = applyIntent.safeParse(body);
  if (!parsed.success) return mistakes(parsed.error, applyIntent, body);
  const { deployment, idempotencyKey, actor, ifMatch } = parsed.data;
  return withKey({ ok: true, facts: { idempotencyKey, actor, ifMatch }, content: deployment }, headerKey);
}

/** Reads the body of any other intent: what it says of itself, and key and actor beside it. */
export function readIntent<Body extends BodyWithFacts>(
  schema: z.ZodType<Body>,
  body: unknown,
  headerKey?: string,
): ReadBody<Omit<Body, keyof BodyWithFacts>> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) return mistakes(parsed.error, schema, body);
  const { idempotencyKey, actor, ifMatch, ...content } = parsed.data;
  const problem = contentProblem(content);
  if (problem) return { ok: false, problems: [problem] };
  return withKey({ ok: true, facts: { idempotencyKey, actor, ifMatch }, content }, headerKey);
}

/** What any intent may say beside its content. */
export interface BodyWithFacts {
  readonly idempotencyKey?: string | undefined;
  readonly actor?: string | undefined;
  readonly ifMatch?: number | undefined;
}

const isWrapped = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'deployment' in body && !('apiVersion' in body);

const mistakes = (error: z.ZodError, schema: z.ZodType, body: unknown): ReadBody<never> => ({
  ok: false,
  problems: describeIssues(error.issues, schema, body),
});

type Read<Content> = Extract<ReadBody<Content>, { ok: true }>;

/** Joins the key of the header to what the body says; key and actor end up in the log, so they must be text it takes. */
function withKey<Content>(read: Read<Content>, headerKey: string | undefined): ReadBody<Content> {
  const { idempotencyKey, actor, ifMatch } = read.facts;
  const problem = keyProblem(idempotencyKey, headerKey) ?? contentProblem({ idempotencyKey, actor });
  if (problem) return { ok: false, problems: [problem] };
  return { ...read, facts: { actor, ifMatch, idempotencyKey: idempotencyKey ?? headerKey } };
}

function keyProblem(own: string | undefined, header: string | undefined): FieldProblem | undefined {
  if (header === undefined) return undefined;
  if (own !== undefined && own !== header) {
    return {
      path: 'idempotencyKey',
      message: 'differs from the header Idempotency-Key',
      remedy: 'Send the key once, or the same key twice.',
    };
  }
  if (header.length > 200) {
    return { path: 'Idempotency-Key', message: 'is too long', remedy: 'Send at most 200 characters.' };
  }
  const unsafe = contentProblem({ header });
  return unsafe && { ...unsafe, path: 'Idempotency-Key' };
}
