import { z } from 'zod';
import { parseDecimalJson } from '../decimal-json.js';
import { type Verdict, unknownBecause } from './advisor.js';

/** A whole number as it stands in JSON that was read with numbers as text. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number);

/** What an exchange holds that is worth deciding by, or the verdict "unknown" where it is no answer. */
export type Reading<Answer> = { readonly answer: Answer } | { readonly verdict: Verdict };

/** A body as a schema knows it, numbers as text; the verdict "unknown" when it is anything else. */
export function readAnswer<Shape>(body: string, schema: z.ZodType<Shape>, provider: string): Reading<Shape> {
  let value: unknown;
  try {
    value = parseDecimalJson(body);
  } catch {
    const what = /^\s*</.test(body) ? 'a page' : /^\s*[[{]/.test(body) ? 'cut off' : 'not JSON';
    return { verdict: unknownBecause(`${provider}'s answer is ${what}`, 'unreadable-answer', { status: '200' }) };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { answer: parsed.data };
  const path = parsed.error.issues[0]?.path.join('.') ?? '';
  const detail = `${provider}'s answer could not be read at "${path.slice(0, 80)}"`;
  return { verdict: unknownBecause(detail, 'unreadable-answer', { status: '200' }) };
}

/** Of a list, the members that a schema knows, and how many others there were: partial data is normal, and is named. */
export function readable<Shape>(
  list: readonly unknown[],
  schema: z.ZodType<Shape>,
): { readonly known: readonly Shape[]; readonly unreadable: number } {
  const known = list.flatMap((member) => {
    const parsed = schema.safeParse(member);
    return parsed.success ? [parsed.data] : [];
  });
  return { known, unreadable: list.length - known.length };
}
