import parse, { type Family } from 'parse-prometheus-text-format';
import { type EngineMetrics, type ScanLimits, engineOf, scanExposition, wantedNames } from '@davit/runtime-prober';
import type { Figure } from '../bench.js';
import { agreement } from './agree.js';
import type { Body } from './bodies.js';
import { compareMs } from './time.js';

export const UNLIMITED: ScanLimits = { maxBytes: Number.POSITIVE_INFINITY, maxSeries: Number.POSITIVE_INFINITY };

/** How often as fast as the package of this name a body is read. */
const AT_LEAST = 10;
/** Below so many bytes what a reader needs to begin counts for as much as the reading. */
const FEW_BYTES = 4_096;

export type Comparison = { readonly figure: Figure; readonly theirsMs: number; readonly oursMs: number };

export function metricsOf(name: string): EngineMetrics {
  const engines = ['sglang', 'tgi', 'llamacpp'] as const;
  const { metrics } = engineOf({ engine: engines.find((engine) => name.startsWith(`other-${engine}`)) ?? 'vllm' });
  if (!metrics) throw new Error(`no metrics for ${name}`);
  return metrics;
}

/**
 * Reads a body with both, by turns; undefined where the other cannot read it.
 * @throws {Error} where both read it and do not agree on a series that is wanted
 */
export function compare({ name, bytes }: Body, forMs: number): Comparison | undefined {
  const text = bytes.toString('utf8');
  const families = attempt(text);
  if (!families) return undefined;
  const names = wantedNames(metricsOf(name));
  const scan = scanExposition(bytes, names, UNLIMITED);
  const { alike, lost, differ } = agreement(families, scan, names.names);
  // It reads the piece of a number at the end of a body that was cut off.
  if (differ.length > 0 && !scan.truncated) throw new Error(`${name}: ${differ.slice(0, 5).join('; ')}`);
  const { one, other } = compareMs(
    () => parse(text),
    () => scanExposition(bytes, names, UNLIMITED),
    forMs,
  );
  const what = `${name}, ${size(bytes.length)}, ${alike} series alike${lost > 0 ? `, ${lost} lost there` : ''}`;
  const budget = bytes.length < FEW_BYTES ? {} : { budget: { atLeast: AT_LEAST } };
  return { theirsMs: one, oursMs: other, figure: { what, value: one / other, unit: '×', ...budget } };
}

export function together(comparisons: readonly Comparison[]): Figure {
  const sum = (of: (comparison: Comparison) => number): number =>
    comparisons.reduce((whole, each) => whole + of(each), 0);
  return {
    what: `all ${comparisons.length} of them, one after the other`,
    value: sum(({ theirsMs }) => theirsMs) / sum(({ oursMs }) => oursMs),
    unit: '×',
    budget: { atLeast: AT_LEAST },
  };
}

function attempt(text: string): readonly Family[] | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const size = (bytes: number): string =>
  bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
