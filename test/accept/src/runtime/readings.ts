import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type EngineReading, type Series, WantedNames, readLoad, scanExposition } from '@davit/runtime-prober';
import { ENGINE } from './look.js';
import { MODEL, program } from './model.js';

/** All that the prober reads from a body. */
export function readingOf(body: string): EngineReading {
  const whole = ENGINE.metrics && readLoad(body, ENGINE.metrics, MODEL.servedName).whole;
  if (!whole) throw new Error('the metrics could not be read');
  return whole;
}

/** By how much a count grew; NaN where either reading lacks it. */
export const grown = (
  before: EngineReading,
  after: EngineReading,
  of: (reading: EngineReading) => number | null | undefined,
): number => (of(after) ?? NaN) - (of(before) ?? NaN);

interface ReferenceSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What the reference parser of the Prometheus project sees in the same body. */
export const referenceSamples = async (python: string, body: string): Promise<readonly ReferenceSample[]> =>
  (await ask(python, 'reference_parser.py', body)) as readonly ReferenceSample[]; // as that program writes it

/** Series of vLLM's histograms, with the names that the prober gives them. */
const HISTOGRAMS = {
  firstTokenSeconds: 'vllm:time_to_first_token_seconds',
  interTokenSeconds: 'vllm:inter_token_latency_seconds',
  endToEndSeconds: 'vllm:e2e_request_latency_seconds',
  queueSeconds: 'vllm:request_queue_time_seconds',
} as const;
type HistogramName = keyof typeof HISTOGRAMS;
type Quantiles = readonly (number | null)[];

/** Median, 95th and 99th percentile of each histogram, in seconds to the nanosecond: the prober's and the reference's. */
export async function quantilesOf(
  python: string,
  body: string,
): Promise<readonly (readonly [name: string, prober: Quantiles, reference: Quantiles])[]> {
  const reading = readingOf(body);
  const found = await ask(python, 'reference_quantiles.py', body, Object.values(HISTOGRAMS));
  const reference = found as Readonly<Record<string, Quantiles>>; // as that program writes it
  return (Object.keys(HISTOGRAMS) as HistogramName[]).map((name) => {
    const { p50, p95, p99 } = reading[name] ?? { p50: null, p95: null, p99: null };
    return [name, rounded([p50, p95, p99]), rounded(reference[HISTOGRAMS[name]] ?? [])];
  });
}

const rounded = (quantiles: Quantiles): Quantiles =>
  quantiles.map((value) => (value === null ? null : Number(value.toFixed(9))));

/** The JSON that a program beside this one writes about a body. */
async function ask(python: string, name: string, body: string, args: readonly string[] = []): Promise<unknown> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const answering = promisify(execFile)(python, [program(name), ...args], options);
  answering.child.stdin?.end(body);
  return JSON.parse((await answering).stdout) as unknown;
}

/** Samples that only one of two parsers sees, or that they read differently. */
export function disagreements(body: string, reference: readonly ReferenceSample[]): readonly string[] {
  const names = new WantedNames(reference.map(({ name }) => name));
  const { samples } = scanExposition(Buffer.from(body), names);
  const ours = new Set([...samples].map(({ series, value }) => textOf(series.name, labelsOf(series), value)));
  const theirs = new Set(reference.map(({ name, labels, value }) => textOf(name, labels, value)));
  return [
    ...[...ours].filter((sample) => !theirs.has(sample)).map((sample) => `only the prober: ${sample}`),
    ...[...theirs].filter((sample) => !ours.has(sample)).map((sample) => `only the reference: ${sample}`),
  ];
}

const labelsOf = ({ pairs }: Series): Readonly<Record<string, string>> =>
  Object.fromEntries(pairs.flatMap((name, at) => (at % 2 === 0 ? [[name, pairs[at + 1] ?? '']] : [])));

const textOf = (name: string, labels: Readonly<Record<string, string>>, value: number): string =>
  JSON.stringify([name, Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)), value]);
