/** JSON with keys sorted at every depth: equal values give equal text. Undefined members are left out, as in JSON itself. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (isPlainObject(member) ? sortKeys(member) : member));
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function sortKeys(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)),
  );
}

/** A backslash pair, or the escape of a character that JSON allows and PostgreSQL's jsonb refuses. */
const ESCAPES = /\\\\|\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})/g;

/**
 * JSON text as every store keeps it. NUL and halves of surrogate pairs, which jsonb refuses, become U+FFFD: hostile
 * text in one event must not stop a projection.
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPES, (escape) => (escape === '\\\\' ? escape : '\ufffd'));
}
