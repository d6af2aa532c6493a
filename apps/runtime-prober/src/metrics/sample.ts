export type Sample = {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
  /** In the unit the server chose; null sorts before every number. */
  readonly timestamp: number | null;
};

export type SampleLine = Sample | 'malformed' | 'non-finite' | 'unwanted';

const NAME = /[ \t]*([A-Za-z_:][A-Za-z0-9_:]*)[ \t]*/y;
const LABEL_START = /[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*"/y;
const AFTER_LABEL = /[ \t]*([,}])/y;
const CLOSE = /[ \t]*\}/y;
const QUOTE_OR_ESCAPE = /["\\]/g;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;
const TIMESTAMP = /^[+-]?\d+(?:\.\d*)?$/;
const EXEMPLAR = /^#[ \t]*\{[^}]*\}[ \t]*\S+(?:[ \t]+\S+)?[ \t]*$/;

/**
 * Reads one sample line of the Prometheus text format, in time linear in its length. Splitting on blanks or commas does not
 * do: label values may hold any of them (vllm pull 56919).
 */
export function parseSample(line: string, wanted: ReadonlySet<string>): SampleLine {
  const head = matchAt(NAME, line, 0);
  if (!head) return 'malformed';
  const [whole, name = ''] = head;
  if (!wanted.has(name)) return 'unwanted';
  const labels = new Map<string, string>();
  let rest = whole.length;
  if (line[rest] === '{') {
    const end = readLabels(line, rest + 1, labels);
    if (end === undefined) return 'malformed';
    rest = end;
  } else if (whole.length === whole.trimEnd().length) return 'malformed';
  return readValue(name, labels, line.slice(rest));
}

/** Fills `labels` and returns the place after the closing brace. */
function readLabels(line: string, start: number, labels: Map<string, string>): number | undefined {
  let at = start;
  for (;;) {
    const close = matchAt(CLOSE, line, at);
    if (close) return at + close[0].length;
    const label = matchAt(LABEL_START, line, at);
    if (!label) return undefined;
    const [opening, name = ''] = label;
    const value = readQuoted(line, at + opening.length);
    if (!value || labels.has(name)) return undefined;
    labels.set(name, value.text);
    const after = matchAt(AFTER_LABEL, line, value.end);
    if (!after) return undefined;
    at = value.end + after[0].length;
    if (after[1] === '}') return at;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', n: '\n' };

function readQuoted(line: string, start: number): { readonly text: string; readonly end: number } | undefined {
  let text = '';
  let at = start;
  for (;;) {
    QUOTE_OR_ESCAPE.lastIndex = at;
    const next = QUOTE_OR_ESCAPE.exec(line);
    if (!next) return undefined;
    text += line.slice(at, next.index);
    if (next[0] === '"') return { text, end: next.index + 1 };
    const escaped = ESCAPES[line[next.index + 1] ?? ''];
    if (escaped === undefined) return undefined;
    text += escaped;
    at = next.index + 2;
  }
}

function readValue(name: string, labels: ReadonlyMap<string, string>, rest: string): SampleLine {
  const hash = rest.indexOf('#');
  if (hash >= 0 && !EXEMPLAR.test(rest.slice(hash))) return 'malformed';
  const fields = (hash < 0 ? rest : rest.slice(0, hash)).split(/[ \t]+/).filter((field) => field !== '');
  const [number = '', time, ...more] = fields;
  if (more.length > 0 || (time !== undefined && !TIMESTAMP.test(time))) return 'malformed';
  if (NOT_FINITE.test(number)) return 'non-finite';
  if (!NUMBER.test(number)) return 'malformed';
  const value = Number(number);
  if (!Number.isFinite(value)) return 'non-finite';
  return { name, labels, value, timestamp: time === undefined ? null : Number(time) };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
