const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const STRING_BEGIN = /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/**
 * Offset at which a text stops being JSON; its length when it ends too early. For texts that `JSON.parse` refused: its
 * messages tell the place only sometimes. Nesting is kept in a list, so that no depth exhausts the stack.
 */
export function jsonErrorOffset(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let offset = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset;
    const match = pattern.exec(text);
    offset += match?.[0].length ?? 0;
    return match !== null;
  };
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma-or-end');
  for (;;) {
    take(SPACE);
    const char = text[offset];
    if (char === undefined || expected === 'nothing') return offset;
    if ((char === '}' || char === ']') && closes(char, expected, open.at(-1))) {
      open.pop();
      offset += 1;
      expected = afterValue();
      continue;
    }
    switch (expected) {
      case 'colon':
        if (char !== ':') return offset;
        offset += 1;
        expected = 'value';
        break;
      case 'comma-or-end':
        if (char !== ',') return offset;
        offset += 1;
        expected = open.at(-1) === '{' ? 'key' : 'value';
        break;
      case 'key':
      case 'key-or-end':
        if (!take(STRING)) return endOfString();
        expected = 'colon';
        break;
      case 'value':
      case 'value-or-end':
        if (char === '{' || char === '[') {
          open.push(char);
          offset += 1;
          expected = char === '{' ? 'key-or-end' : 'value-or-end';
        } else if (take(SCALAR) || take(STRING)) expected = afterValue();
        else return endOfString();
    }
  }

  /** Where a string that does not end as it should goes wrong; the present place for anything else. */
  function endOfString(): number {
    take(STRING_BEGIN);
    return offset;
  }
}

function closes(char: string, expected: Expected, open: '{' | '[' | undefined): boolean {
  if (open !== (char === '}' ? '{' : '[')) return false;
  return expected === 'comma-or-end' || expected === (char === '}' ? 'key-or-end' : 'value-or-end');
}
