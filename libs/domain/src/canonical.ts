import { hash } from 'node:crypto';

/** JSON with object keys sorted at every level: equal values give equal text. */
export const canonicalJson = (value: unknown): string => JSON.stringify(inOrder(value));

/** What stands in order at every level is not copied; a replacer of `JSON.stringify` would take several times as long. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (speaksForItself(value)) return inOrder(value.toJSON(''));
  return sorted(value);
}

const speaksForItself = (value: object): value is { toJSON(key: string): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

function sorted(value: object): object {
  const entries: [string, unknown][] = Object.entries(value);
  let same = true;
  let before = '';
  for (const entry of entries) {
    const [name, member] = entry;
    entry[1] = inOrder(member);
    same &&= before <= name && entry[1] === member;
    before = name;
  }
  return same ? value : Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** SHA-256 of the canonical JSON, hexadecimal. */
export const digestOf = (value: unknown): string => hash('sha256', canonicalJson(value));

/** SHA-256 of text as UTF-8, hexadecimal. */
export const digestOfText = (text: string): string => hash('sha256', text);
