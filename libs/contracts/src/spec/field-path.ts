const MAX_PART = 80;

/** `['spec', 'args', 0]` → `spec.args[0]`. Keys that a user made up are cut, so that a path stays readable. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((joined, part) => {
    if (typeof part === 'number') return `${joined}[${part}]`;
    const key = cut(String(part), MAX_PART);
    return joined === '' ? key : `${joined}.${key}`;
  }, '');
}

export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined,
    input,
  );
}

/** The value as a user wrote it, short enough for one line. Lists and mappings are named, not shown. */
export function preview(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, 57));
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'a mapping';
  return String(value);
}

/** Cuts between characters, never inside one, and leaves nothing that cannot be stored. */
export function cut(text: string, length: number): string {
  const short = text.length > length ? `${text.slice(0, length)}…` : text;
  return short.replace(/[\0\p{Surrogate}]/gu, '\ufffd');
}
