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

interface ReferenceSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What the reference parser of the Prometheus project sees in the same body. */
export async function referenceSamples(python: string, body: string): Promise<readonly ReferenceSample[]> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const parsing = promisify(execFile)(python, [program('reference_parser.py')], options);
  parsing.child.stdin?.end(body);
  const { stdout } = await parsing;
  return JSON.parse(stdout) as readonly ReferenceSample[]; // written by the program beside this one
}

/** Samples that only one of two parsers sees, or that they read differently. */
export function disagreements(body: string, reference: readonly ReferenceSample[]): readonly string[] {
  const names = new WantedNames(reference.map(({ name }) => name));
  const { samples } = scanExposition(Buffer.from(body), names);
  const ours = new Set(samples.map(({ series, value }) => textOf(series.name, labelsOf(series), value)));
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
