/** Columns aligned by spaces; the last one is cut to what the terminal has left. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width = process.stdout.columns,
): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => {
    const text = cells
      .map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ');
    return width > 0 && text.length > width ? `${text.slice(0, width - 1)}…` : text.trimEnd();
  };
  return [line(header), ...rows.map(line)].join('\n');
}

/** `41m`, `2m 10s`, `3h 5m`, `4d 2h`. */
export function age(sinceIso: string, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(sinceIso)) / 1_000));
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first === -1) return '0s';
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join(' ');
}
