import { COLOURS, figure } from './figures.js';
import { type Series, lineOf } from './line.js';

export type Mark = { readonly atMs: number; readonly label: string };
export type Frame = {
  readonly title: string;
  readonly unit: string;
  readonly marks: readonly Mark[];
  /** What must not be exceeded. */
  readonly promised?: number | null;
};

const WIDTH = 760;
const HEIGHT = 260;
const LEFT = 64;
const RIGHT = 16;
const TOP = 54;
const BOTTOM = 34;
const TICKS = 4;
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
/** A line further above what was measured than so many times would flatten it. */
const MOST_ABOVE = 2;
/** Room for a word at the right edge. */
const WORD = 60;
export const clockOf = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${figure(x)}" y="${figure(y)}" ${more}>${escaped(content)}</text>`;

export function page(height: number, title: string, body: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="sans-serif" font-size="11" fill="#333">`;
  const paper = `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`;
  return [
    head,
    `<title>${escaped(title)}</title>`,
    paper,
    text(LEFT, 16, title, 'font-size="13"'),
    ...body,
    '</svg>',
    '',
  ].join('\n');
}

/** From times to places on the page. */
export function across(fromMs: number, toMs: number): (ms: number) => number {
  const span = Math.max(1, toMs - fromMs);
  return (ms) => LEFT + ((ms - fromMs) / span) * (WIDTH - LEFT - RIGHT);
}

export const extentOf = (times: readonly number[]): readonly [number, number] => [
  times.reduce((least, time) => Math.min(least, time), Infinity),
  times.reduce((most, time) => Math.max(most, time), -Infinity),
];

export function timeAxis(fromMs: number, toMs: number, y: number): readonly string[] {
  const place = across(fromMs, toMs);
  return Array.from({ length: TICKS + 1 }, (_, tick) => {
    const ms = fromMs + ((toMs - fromMs) * tick) / TICKS;
    const content = tick === TICKS ? `${clockOf(ms)} UTC` : clockOf(ms);
    return text(place(ms), y, content, `text-anchor="${tick === TICKS ? 'end' : tick === 0 ? 'start' : 'middle'}"`);
  });
}

export function markLines(
  marks: readonly Mark[],
  place: (ms: number) => number,
  from: number,
  to: number,
): readonly string[] {
  return marks.map(({ atMs, label }) => {
    const x = figure(place(atMs));
    const line = `<line x1="${x}" x2="${x}" y1="${from}" y2="${to}" stroke="#888" stroke-dasharray="3 3"/>`;
    const isAtEdge = place(atMs) > WIDTH - RIGHT - WORD;
    const [x0, anchor] = isAtEdge ? [place(atMs) - 3, 'text-anchor="end" '] : [place(atMs) + 3, ''];
    return line + text(x0, from - 3, label, `${anchor}fill="#666" font-size="10"`);
  });
}

/** Lines over time, from zero up. Undefined where there is nothing to draw. */
export function lineChart(
  series: readonly Series[],
  { title, unit, marks, promised = null }: Frame,
): string | undefined {
  const measured = series.flatMap(({ points }) => points.filter(({ value }) => value !== null));
  if (measured.length === 0) return undefined;
  const [fromMs, toMs] = extentOf(series.flatMap(({ points }) => points.map(({ atMs }) => atMs)));
  const [, most] = extentOf([1e-9, ...measured.map(({ value }) => value ?? 0)]);
  const limit = promised !== null && promised <= most * MOST_ABOVE ? promised : null;
  const step = stepFor(Math.max(most, limit ?? 0) / TICKS);
  const top = step * Math.ceil(Math.max(most, limit ?? 0) / step);
  const place = across(fromMs, toMs);
  const floor = HEIGHT - BOTTOM;
  const height = (value: number): number => floor - (value / top) * (floor - TOP);
  const grid = Array.from({ length: Math.round(top / step) + 1 }, (_, tick) => {
    const value = step * tick;
    const y = figure(height(value));
    const line = `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}" stroke="#ddd"/>`;
    return line + text(LEFT - 6, height(value) + 4, figure(value), 'text-anchor="end"');
  });
  const lines = series.map(({ points }, index) => lineOf(points, place, height, index));
  const within = marks.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  return page(HEIGHT, `${title} (${unit})`, [
    ...legendOf(series.map(({ name }) => name)),
    ...grid,
    ...(limit === null ? [] : promisedLine(limit, height(limit), unit)),
    ...markLines(within, place, TOP, floor),
    // The widest lies at the bottom: where lines are one, the others show at its edges.
    ...lines.toReversed(),
    ...timeAxis(fromMs, toMs, HEIGHT - 10),
  ]);
}

/** The least of 1, 2, 2.5, 5 and 10 times a power of ten that is no less: steps that people count in. */
function stepFor(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least * (1 - 1e-9)) ?? 10) * power;
}
const STEPS = [1, 2, 2.5, 5, 10];

function promisedLine(limit: number, y: number, unit: string): readonly string[] {
  const [x1, x2] = [LEFT, WIDTH - RIGHT];
  return [
    `<line x1="${x1}" x2="${x2}" y1="${figure(y)}" y2="${figure(y)}" stroke="#b00020" stroke-dasharray="6 3"/>`,
    text(x1 + 4, y - 4, `promised p95: ${figure(limit)} ${unit}`, 'fill="#b00020" font-size="10"'),
  ];
}

export const legendOf = (names: readonly string[], colours: readonly string[] = COLOURS): readonly string[] =>
  names.map((name, index) => {
    const x = LEFT + index * 110;
    const box = `<rect x="${x}" y="24" width="10" height="10" fill="${colours[index % colours.length] ?? ''}"/>`;
    return box + text(x + 14, 33, name);
  });
