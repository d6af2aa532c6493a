import { describe, expect, test } from '@jest/globals';
import { lineChart } from './svg.js';

const points = [0, 60_000, 120_000].map((atMs) => ({ atMs, value: 40 }));
const frame = { title: 'Latency', unit: 'ms', marks: [] };

describe('lines that are one', () => {
  test('are all to be seen: the later the wider, and the widest at the bottom', () => {
    const names = ['p50', 'p95', 'p99'];
    const chart = lineChart(
      names.map((name) => ({ name, points })),
      frame,
    );
    const drawn = [...(chart ?? '').matchAll(/<path [^>]*stroke="(#\w+)" stroke-width="([\d.]+)"/g)];
    const widths = drawn.map(([, , width]) => Number(width));
    expect(new Set(drawn.map(([, colour]) => colour)).size).toBe(3);
    expect(widths.every((width, index) => index === 0 || (widths[index - 1] ?? 0) - width >= 2)).toBe(true);
    expect(widths).toHaveLength(3);
    const dots = [...(chart ?? '').matchAll(/<circle [^>]* r="([\d.]+)"/g)].map(([, radius]) => Number(radius));
    expect(dots).toEqual(dots.toSorted((a, b) => b - a));
    expect(new Set(dots).size).toBe(3);
  });
});
