import { stripAnsi } from '@davit/provider-kit';

/** What is the same of an output in every run: exit code, form, words. Names, ids, times and paths are taken out. */
export interface Shape {
  readonly exitCode: number | string;
  /** Lines of prose on stdout before, or instead of, JSON. */
  readonly prose: readonly string[];
  /** Form of the JSON on stdout; null where there is none. */
  readonly json: unknown;
  /** Class of the exception that stderr ends in, and its text. */
  readonly error: string | null;
}

export interface Output {
  readonly exitCode: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

const EXCEPTION =
  /^(?:[\w.]+\.)?(\w*(?:Error|Exception|Aborted|Cancelled|DoesNotExist|Unavailable|Rejected\w*))\b!?:?\s*(.*)$/;

export function shapeOf({ exitCode, stdout, stderr }: Output, names: readonly string[]): Shape {
  const text = stripAnsi(stdout).replaceAll('\r', '\n');
  const start = /^[[{]/m.exec(text);
  const parsed = start ? parse(text.slice(start.index)) : undefined;
  const prose = parsed === undefined ? text : text.slice(0, start?.index);
  const lines = prose.split('\n').map((line) => plain(line, names));
  return {
    exitCode,
    prose: lines.filter((line) => line !== ''),
    json: parsed === undefined ? null : formOf(parsed),
    error: errorOf(stripAnsi(stderr), names),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Keys and types, values left out; what an array holds is the union of what its elements are. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [merged(value.map(formOf))];
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, member]) => [key, member === null ? 'null' : typeof member]));
  }
  return value === null ? 'null' : typeof value;
}

const merged = (forms: readonly unknown[]): unknown =>
  forms.every((form) => typeof form === 'object' && form !== null) ? Object.assign({}, ...forms) : forms[0];

function plain(line: string, names: readonly string[]): string {
  // A row of the optimiser's table, whose figures are for people.
  if (line.trimEnd().endsWith('✔')) return 'CHOSEN';
  let result = line;
  for (const name of names) result = result.replaceAll(name, 'NAME');
  return (
    result
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
      .replace(/\b[0-9a-f]{8}\b/g, 'ID')
      .replace(/(?:\/[\w.-]+)+\.ya?ml/g, 'PATH')
      .replace(/https?:\/\/[^\s?]+/g, 'URL')
      // What click guesses beside its error, and the whole grammar in an error of the schema, say nothing to the adapter.
      .replace(/ Did you mean .*$/, '')
      .replace(/'\^.*\$'/, 'PATTERN')
      .replace(/\b[A-Z]{2,3}-[A-Z]{2,3}-\d\b/g, 'PLACE')
      .replace(/[━╸]+.*$/, '')
      .trim()
  );
}

function errorOf(stderr: string, names: readonly string[]): string | null {
  const lines = stderr.split('\n').map((line) => plain(line, names));
  const found = lines.findLast((line) => EXCEPTION.test(line) || /^(?:Error|Usage):/.test(line));
  return found ?? null;
}

/** Differences between two shapes, in words; empty when they are the same. */
export function differences(real: Shape, fake: Shape): readonly string[] {
  const members = ['exitCode', 'prose', 'json', 'error'] as const;
  return members.flatMap((member) => {
    const [one, other] = [JSON.stringify(real[member]), JSON.stringify(fake[member])];
    return one === other ? [] : [`${member}: the real one ${one}, the fake ${other}`];
  });
}
