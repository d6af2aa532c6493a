/** What people or machines wrote, inside a cell: no markup of it has effect. */
export const cell = (value: string | number | null | undefined): string =>
  value === null || value === undefined
    ? '–'
    : String(value)
        .replace(/[\r\n]+/g, ' ')
        .replace(/[\\|`*_<>[\]]/g, (sign) => `\\${sign}`);

export function table(
  heads: readonly string[],
  rows: readonly (readonly (string | number | null | undefined)[])[],
): string {
  if (rows.length === 0) return '_none_';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map((row) => line(row.map(cell)))].join('\n');
}

const BARS = '▁▂▃▄▅▆▇█';

/** A line of figures in text; a gap where one is not known. */
export function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const most = known.reduce((top, value) => Math.max(top, value), 0);
  if (known.length === 0) return '';
  return values
    .map((value) =>
      value === null ? '·' : (BARS[most === 0 ? 0 : Math.round((value / most) * (BARS.length - 1))] ?? ''),
    )
    .join('');
}

/** At most so many, each the mean of its stretch: a line that fits. */
export function thinned(values: readonly (number | null)[], most = 60): readonly (number | null)[] {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, index) => {
    const part = values.slice(
      Math.floor((index * values.length) / most),
      Math.floor(((index + 1) * values.length) / most),
    );
    const known = part.filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}

/** A figure as people read it; `receipt.json` has all of its digits. */
export const rounded = (value: number, digits = 6): string => String(Number(value.toPrecision(digits)));

/** Milliseconds: whole ones from a hundred on. */
export const millis = (value: number | null): string | null =>
  value === null ? null : value >= 100 ? String(Math.round(value)) : rounded(value, 3);

/** 93 s, 12.5 min, 3.2 h. */
export function lasted(ms: number): string {
  if (ms < 120_000) return `${Number((ms / 1_000).toPrecision(3))} s`;
  return ms < 7_200_000
    ? `${Number((ms / 60_000).toPrecision(3))} min`
    : `${Number((ms / 3_600_000).toPrecision(3))} h`;
}
