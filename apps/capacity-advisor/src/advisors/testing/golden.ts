import { readFileSync } from 'node:fs';
import type { HttpFailure, HttpOutcome } from '@davit/ports';
import type { StockQuestion } from '../advisor.js';

/** One row of a golden table: an answer of a provider, as it came or with a few fields changed, and what it says. */
export type Golden = {
  readonly row: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** File of the answer, beside the table; by default the first that the table names. */
  readonly from?: string;
  /** New values by path: `data.gpuTypes.0.secureCloud`. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
  /** In place of a file. */
  readonly body?: string;
  /** In place of an answer. */
  readonly network?: HttpFailure;
  readonly accelerator?: string;
  readonly region?: string;
  readonly spot?: boolean;
  readonly diskGiB?: number;
  readonly expect: Readonly<Record<string, unknown>>;
};

export type GoldenTable = { readonly cloud: string; readonly base: string; readonly rows: readonly Golden[] };

const directory = new URL('../golden/', import.meta.url);

export const goldenText = (file: string): string => readFileSync(new URL(file, directory), 'utf8');

/** Golden files are ours, so their shape is taken as written. */
export const goldenTable = (file: string): GoldenTable => JSON.parse(goldenText(file)) as GoldenTable;

export function bodyOf({ base }: GoldenTable, { from = base, set = {}, unset = [], body }: Golden): string {
  if (body !== undefined) return body;
  const text = goldenText(from);
  if (Object.keys(set).length === 0 && unset.length === 0) return text;
  const answer: unknown = JSON.parse(text);
  for (const [path, value] of Object.entries(set)) change(answer, path, (parent, key) => (parent[key] = value));
  for (const path of unset) change(answer, path, (parent, key) => Reflect.deleteProperty(parent, key));
  return JSON.stringify(answer);
}

function change(root: unknown, path: string, act: (parent: Record<string, unknown>, key: string) => void): void {
  const steps = path.split('.');
  let parent = root as Record<string, unknown>; // objects and lists of a golden file, by key or index
  for (const step of steps.slice(0, -1)) parent = parent[step] as Record<string, unknown>;
  act(parent, steps.at(-1) ?? '');
}

export function outcomeOf(table: GoldenTable, golden: Golden): HttpOutcome {
  if (golden.network !== undefined) return { kind: 'failure', reason: golden.network, detail: 'x' };
  const { status = 200, headers = {} } = golden;
  return { kind: 'response', status, headers, body: bodyOf(table, golden) };
}

export function questionOf(cloud: string, golden: Partial<Golden> = {}): StockQuestion {
  const { accelerator = 'L40S:1', region = null, spot = false, diskGiB = null } = golden;
  const [name = '', count = '1'] = accelerator.split(':');
  const placement = { cloud, region, accelerator: { name, count: Number(count) }, spot, maxHourlyPrice: null };
  return { placement, diskGiB };
}
