import { COLOURS, figure } from './figures.js';

/** One line of a chart; a value of null is a gap. Times are milliseconds since the epoch. */
export type Series = {
  readonly name: string;
  readonly points: readonly { readonly atMs: number; readonly value: number | null }[];
};

const WIDTH = 1.6;
/** What the eye still tells from the line that lies on it. */
const RIM = 3;

/** A line with its measured points. Each is wider than the one before it, so that it shows at the edges of one that lies on it. */
export function lineOf(
  points: Series['points'],
  place: (ms: number) => number,
  height: (value: number) => number,
  index: number,
): string {
  const colour = COLOURS[index % COLOURS.length] ?? '';
  const width = WIDTH + index * RIM;
  let pen = 'M';
  const steps: string[] = [];
  const dots: string[] = [];
  for (const { atMs, value } of points) {
    if (value === null) {
      pen = 'M';
      continue;
    }
    const [x, y] = [figure(place(atMs)), figure(height(value))];
    steps.push(`${pen}${x} ${y}`);
    dots.push(`<circle cx="${x}" cy="${y}" r="${figure(width / 2 + 1)}" fill="${colour}"/>`);
    pen = 'L';
  }
  const stroke = `stroke="${colour}" stroke-width="${figure(width)}" stroke-linejoin="round"`;
  return `<path d="${steps.join('')}" fill="none" ${stroke}/>${dots.join('')}`;
}
