/** One field of a selection: what is asked, under which name it is answered, with which arguments. */
export interface Field {
  readonly name: string;
  readonly alias: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Null for a field without a selection of its own. */
  readonly selection: readonly Field[] | null;
}

/** A document that the server would not take. */
export class GraphqlSyntaxError extends Error {}

/** Blanks, commas and comments mean nothing. */
const IGNORED = /(?:[\s,]|#[^\n]*)*/y;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|[{}()[\]:$!=]/y;

/** The selection of the one operation of a document, variables filled in. Fragments and directives are not understood. */
export function parseOperation(document: string, variables: Readonly<Record<string, unknown>>): readonly Field[] {
  const reader = new Reader(tokens(document), variables);
  if (reader.next !== '{') {
    const kind = reader.take();
    if (kind !== 'query' && kind !== 'mutation') throw new GraphqlSyntaxError(`Unexpected "${kind}".`);
    if (reader.next !== '{' && reader.next !== '(') reader.take();
    if (reader.next === '(') reader.skipDefinitions();
  }
  const selection = reader.selection();
  if (reader.next !== undefined) throw new GraphqlSyntaxError(`Unexpected "${reader.next}".`);
  return selection;
}

function tokens(document: string): readonly string[] {
  const found: string[] = [];
  for (let at = endOf(IGNORED, document, 0); at < document.length; at = endOf(IGNORED, document, at)) {
    const end = endOf(TOKEN, document, at);
    if (end === at) throw new GraphqlSyntaxError(`Unexpected character near "${document.slice(at, at + 20)}".`);
    found.push(document.slice(at, end));
    at = end;
  }
  return found;
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

class Reader {
  private at = 0;

  constructor(
    private readonly found: readonly string[],
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  get next(): string | undefined {
    return this.found[this.at];
  }

  take(expected?: string): string {
    const token = this.found[this.at];
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new GraphqlSyntaxError(`Expected ${expected ?? 'more'}, found ${token ?? '<EOF>'}.`);
    this.at += 1;
    return token;
  }

  /** Types of variables are taken on trust. */
  skipDefinitions(): void {
    while (this.take() !== ')');
  }

  selection(): readonly Field[] {
    this.take('{');
    const fields: Field[] = [];
    while (this.next !== '}') fields.push(this.field());
    this.take('}');
    if (fields.length === 0) throw new GraphqlSyntaxError('Expected Name, found }.');
    return fields;
  }

  private field(): Field {
    const first = this.name();
    const aliased = this.next === ':';
    if (aliased) this.take(':');
    const name = aliased ? this.name() : first;
    const args = this.next === '(' ? this.members('(', ')') : {};
    return { name, alias: first, args, selection: this.next === '{' ? this.selection() : null };
  }

  private name(): string {
    const token = this.take();
    if (!/^[A-Za-z_]\w*$/.test(token)) throw new GraphqlSyntaxError(`Expected Name, found "${token}".`);
    return token;
  }

  private members(open: string, close: string): Readonly<Record<string, unknown>> {
    this.take(open);
    const members: Record<string, unknown> = {};
    while (this.next !== close) {
      const name = this.name();
      this.take(':');
      members[name] = this.value();
    }
    this.take(close);
    return members;
  }

  private value(): unknown {
    const token = this.next ?? '';
    if (token === '{') return this.members('{', '}');
    this.take();
    if (token === '$') return this.variables[this.name()];
    if (token === '[') {
      const items: unknown[] = [];
      while (this.next !== ']') items.push(this.value());
      this.take(']');
      return items;
    }
    if (token.startsWith('"')) return JSON.parse(token) as unknown;
    if (/^-?\d/.test(token)) return Number(token);
    return token === 'true' ? true : token === 'false' ? false : token === 'null' ? null : token;
  }
}
