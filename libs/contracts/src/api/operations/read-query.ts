import type { z } from 'zod';
import type { FieldProblem } from '../../problem.js';
import { describeIssues } from '../../spec/issues.js';

/** Parameters as they came; one that was sent several times is a list. */
export type SentQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

export type QueryReading<Query> =
  { readonly ok: true; readonly query: Query } | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/**
 * Reads what stands behind the question mark by the schema of an operation. All of it came as text: what the schema calls a
 * number or a flag is taken from its one text form, and anything else stays text, which the schema then refuses. The last of
 * several values counts, except where a list is asked for.
 */
export function readQuery<Schema extends z.ZodObject>(schema: Schema, sent: SentQuery): QueryReading<z.output<Schema>> {
  const unsafe = Object.keys(sent).filter((name) => [sent[name]].flat().some((text) => text?.includes('\0')));
  const values = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, valueOf(typeAt(schema, name), value)]),
  );
  const parsed = schema.safeParse(values);
  const problems = unsafe.map((path) => ({ path, message: 'holds a NUL character', remedy: 'Write plain text.' }));
  if (!parsed.success) problems.push(...describeIssues(parsed.error.issues, schema, { ...sent, ...listsIn(values) }));
  if (problems.length > 0 || !parsed.success) return { ok: false, problems: problems.map(inQuery) };
  return { ok: true, query: parsed.data };
}

/** Of a list, what is wrong is said of one of its values. */
const listsIn = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => Array.isArray(value)));

const inQuery = (problem: FieldProblem): FieldProblem => ({ ...problem, path: `?${problem.path}` });

function valueOf(type: string, sent: string | readonly string[] | undefined): unknown {
  if (type === 'array') return [sent].flat().flatMap((text) => text?.split(',').map((part) => part.trim()) ?? []);
  const text = typeof sent === 'object' ? sent.at(-1) : sent;
  if (type === 'number' && text !== undefined && /^\d{1,16}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Type of a field, below what only makes it optional or gives it a default. */
function typeAt(schema: z.ZodObject, name: string): string {
  let field: z.core.$ZodType | undefined = Object.hasOwn(schema.shape, name)
    ? (schema.shape[name] as z.core.$ZodType)
    : undefined;
  while (field && 'innerType' in field._zod.def) field = field._zod.def.innerType as z.core.$ZodType; // as zod defines it
  return field?._zod.def.type ?? 'unknown';
}
