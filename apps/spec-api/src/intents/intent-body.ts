import { type FieldProblem, applyIntent, contentProblem, deleteIntent, describeIssues } from '@davit/contracts';
import type { z } from 'zod';

/** What an intent says beside its content. */
export interface IntentFacts {
  readonly idempotencyKey: string | undefined;
  readonly actor: string | undefined;
}
export const NO_FACTS: IntentFacts = { idempotencyKey: undefined, actor: undefined };

export type ReadBody<Content> =
  | { readonly ok: true; readonly facts: IntentFacts; readonly content: Content }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Reads the body of an apply intent: the manifest itself, or the manifest with key and actor around it. */
export function readApply(body: unknown, headerKey?: string): ReadBody<unknown> {
  if (!isWrapped(body)) return withKey({ ok: true, facts: NO_FACTS, content: body }, headerKey);
  const parsed = applyIntent.safeParse(body);
  if (!parsed.success) return mistakes(parsed.error, applyIntent, body);
  const { deployment, idempotencyKey, actor } = parsed.data;
  return withKey({ ok: true, facts: { idempotencyKey, actor }, content: deployment }, headerKey);
}

export interface DeleteContent {
  readonly tenant: string;
  readonly name: string;
}

export function readDelete(body: unknown, headerKey?: string): ReadBody<DeleteContent> {
  const parsed = deleteIntent.safeParse(body);
  if (!parsed.success) return mistakes(parsed.error, deleteIntent, body);
  const { tenant, name, idempotencyKey, actor } = parsed.data;
  return withKey({ ok: true, facts: { idempotencyKey, actor }, content: { tenant, name } }, headerKey);
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
  const { idempotencyKey, actor } = read.facts;
  const problem = keyProblem(idempotencyKey, headerKey) ?? contentProblem({ idempotencyKey, actor });
  if (problem) return { ok: false, problems: [problem] };
  return { ...read, facts: { actor, idempotencyKey: idempotencyKey ?? headerKey } };
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
