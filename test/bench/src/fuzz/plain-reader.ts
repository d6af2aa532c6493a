/** What the plain reader makes of a body: counts, and the value of each wanted series by a key of its name and labels. */
export type PlainScan = {
  readonly malformed: number;
  readonly nonFinite: number;
  readonly duplicates: number;
  readonly truncated: boolean;
  readonly values: ReadonlyMap<string, number>;
};

const HEAD = /^[ \t]*([A-Za-z_:][A-Za-z0-9_:]*)[ \t]*(\{)?/;
const LABEL = /^[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*"((?:[^"\\]|\\[\\"n])*)"[ \t]*(,|(?=\}))/;
const TAIL = /^[ \t]*([^ \t]+)(?:[ \t]+([+-]?(?:\d+\.?\d*|\.\d+)))?[ \t]*(?:(?<=[ \t])#[ \t]+(\{.*))?$/s;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;

type Labels = { readonly labels: ReadonlyMap<string, string>; readonly rest: string };

/**
 * The rules of the format written down once more, line by line and with no thought of speed: what it says of a body must be
 * what the scanner says.
 */
export function readPlainly(body: Buffer, wanted: ReadonlySet<string>): PlainScan {
  const counts = { malformed: 0, nonFinite: 0, duplicates: 0 };
  const newest = new Map<string, { readonly value: number; readonly at: number; readonly name: string }>();
  const lines = body.toString('latin1').split('\n');
  const last = lines.pop() ?? '';
  let ended = false;
  for (const whole of lines) {
    const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    if (line === '# EOF') {
      ended = true;
      break;
    }
    if (/^[ \t]*(?:#|$)/.test(line)) continue;
    const sample = readSample(line);
    if (!sample) counts.malformed += 1;
    else if (!Number.isFinite(sample.value)) counts.nonFinite += 1;
    else {
      const before = newest.get(sample.key);
      if (before) counts.duplicates += 1;
      if (!before || sample.at > before.at) newest.set(sample.key, sample);
    }
  }
  const truncated = !ended && last !== '' && last !== '# EOF' && last !== '# EOF\r';
  const values = [...newest].flatMap(([key, { name, value }]) => (wanted.has(name) ? [[key, value] as const] : []));
  return { ...counts, truncated, values: new Map(values) };
}

export const keyOf = (name: string, labels: Iterable<readonly [string, string]>): string =>
  JSON.stringify([name, ...[...labels].sort(([one], [other]) => (one < other ? -1 : 1))]);

function readSample(line: string) {
  const head = HEAD.exec(line);
  if (!head) return undefined;
  const [begin, name = '', brace] = head;
  const after = line.slice(begin.length);
  const read = brace === undefined ? { labels: new Map<string, string>(), rest: after } : readLabels(after);
  const tail = read && TAIL.exec(read.rest);
  if (!read || !tail) return undefined;
  const [, field = '', timestamp, exemplar] = tail;
  if (exemplar !== undefined && !isExemplar(exemplar)) return undefined;
  if (!DECIMAL.test(field) && !NOT_FINITE.test(field)) return undefined;
  return {
    name,
    key: keyOf(name, read.labels),
    value: Number(field),
    at: timestamp === undefined ? Number.NEGATIVE_INFINITY : Number(timestamp),
  };
}

function readLabels(text: string): Labels | undefined {
  const labels = new Map<string, string>();
  let rest = text;
  for (;;) {
    const end = /^[ \t]*\}/.exec(rest);
    if (end) return { labels, rest: rest.slice(end[0].length) };
    const label = LABEL.exec(rest);
    if (!label) return undefined;
    const [whole, name = '', value = ''] = label;
    if (labels.has(name)) return undefined;
    labels.set(
      name,
      value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
    );
    rest = rest.slice(whole.length);
  }
}

function isExemplar(text: string): boolean {
  const read = readLabels(text.slice(1));
  const tail = read && /^[ \t]*([^ \t]+)(?:[ \t]+([+-]?(?:\d+\.?\d*|\.\d+)))?[ \t]*$/.exec(read.rest);
  const field = tail?.[1] ?? '';
  return DECIMAL.test(field) || NOT_FINITE.test(field);
}
