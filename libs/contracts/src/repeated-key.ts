const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gs;
const MAX_TOLD = 60;

/** A key that an object holds twice, and where it stands for the second time. */
export interface RepeatedKey {
  readonly key: string;
  readonly offset: number;
}

/**
 * Finds a key that one object of a JSON text holds twice: `JSON.parse` takes the last and says nothing, so that half of what
 * somebody wrote would be lost. For texts that `JSON.parse` accepts. Nesting is kept in a list: no depth exhausts the stack.
 */
export function repeatedKey(text: string): RepeatedKey | undefined {
  const open: Set<string>[] = [];
  for (const { 0: token, 1: colon, index: offset } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const key = String(JSON.parse(token.slice(0, -colon.length)));
      const keys = open.at(-1);
      if (keys?.has(key) === true) return { key: key.slice(0, MAX_TOLD), offset };
      keys?.add(key);
    }
  }
  return undefined;
}
