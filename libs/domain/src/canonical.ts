import { hash } from 'node:crypto';

/** JSON with object keys sorted at every level: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? sorted(inner) : inner,
  );
}

/** What is sorted already is not copied. */
function sorted(value: object): object {
  const names = Object.keys(value);
  if (names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** SHA-256 of the canonical JSON, hexadecimal. */
export const digestOf = (value: unknown): string => hash('sha256', canonicalJson(value));

/** SHA-256 of text as UTF-8, hexadecimal. */
export const digestOfText = (text: string): string => hash('sha256', text);
