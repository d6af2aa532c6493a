import { ExpositionScanner, SCAN_LIMITS, WantedNames, scanExposition, wantedNames } from '@davit/runtime-prober';
import type { Figure } from '../bench.js';
import { type Body, longLabel, manyEngines, manySeries } from './bodies.js';
import { collect } from '../collect.js';
import { UNLIMITED, metricsOf } from './compare.js';
import { cpuTimeMs } from './time.js';

/** Four times the bytes: what is linear takes four times as long, a square sixteen times. */
const AT_MOST = 6.5;

/** Nothing is remembered of the runs before, so that all lengths are read alike. */
function scan({ name, bytes }: Body): unknown {
  return scanExposition(bytes, new WantedNames(wantedNames(metricsOf(name)).names), UNLIMITED);
}

export function growth(forMs: number): readonly Figure[] {
  const families: readonly (readonly [string, (size: number) => Body, number])[] = [
    ['engines', manyEngines, 64],
    ['bytes of a label', longLabel, 2 ** 20],
    ['series', manySeries, 10_000],
  ];
  return families.flatMap(([what, bodyOf, least]) => {
    const [one, two, four] = [1, 2, 4].map((times) => {
      const body = bodyOf(least * times);
      return cpuTimeMs(() => scan(body), forMs);
    });
    if (one === undefined || two === undefined || four === undefined) return [];
    return [
      { what: `twice as many ${what}`, value: two / one, unit: '×' },
      { what: `four times as many ${what}`, value: four / one, unit: '×', budget: { atMost: AT_MOST } },
    ] as const;
  });
}

const PIECE = 64 * 1024;
const MIB = 2 ** 20;

/** What stays in memory while a body without end goes by: its limit of bytes is lifted, that of series is not. */
export function memory(bodyMib: number): readonly Figure[] {
  const held = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / MIB;
  };
  const lines: readonly (readonly [string, (index: number) => string])[] = [
    ['series that are wanted', (index) => `vllm:request_success_total{engine="${index}",model_name="m"} 1\n`],
    ['series that nobody wants', (index) => `other_total{engine="${index}",model_name="m"} 1\n`],
  ];
  return lines.map(([what, line]) => {
    const scanner = new ExpositionScanner(wantedNames(metricsOf('')), {
      ...SCAN_LIMITS,
      maxBytes: Number.POSITIVE_INFINITY,
    });
    const before = held();
    let most = 0;
    for (let bytes = 0, index = 0, looks = 0; bytes < bodyMib * MIB;) {
      let piece = '';
      while (piece.length < PIECE) piece += line(index++);
      scanner.push(Buffer.from(piece));
      bytes += piece.length;
      if (bytes > ((looks + 1) * bodyMib * MIB) / 8) {
        looks += 1;
        most = Math.max(most, held() - before);
      }
    }
    return { what: `held at most, of ${bodyMib} MiB of ${what}`, value: most, unit: 'MiB', budget: { atMost: 48 } };
  });
}
