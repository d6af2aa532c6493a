import { randomBytes } from 'node:crypto';
import type { NatsConnection } from 'nats';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { type BenchContext, type Figure, type Section, budgetMet } from './bench.js';
import { heading, lineOf } from './report.js';

export interface Openers {
  readonly openDatabase: (url: string) => Promise<DataSource>;
  readonly openBus: (url: string) => Promise<NatsConnection>;
}

const DEFAULT_SECONDS = 3;

/**
 * Runs sections one after the other in a database made for the run and removed afterwards. `--json` adds one last line
 * for programs; `--seconds=N` sets the length of each timed run. A missed budget does not fail the run: figures inform.
 */
export async function runSections(sections: readonly Section[], openers: Openers): Promise<void> {
  const serverUrl = required('DATABASE_URL');
  const natsUrl = required('NATS_URL');
  const name = `davit_bench_${randomBytes(4).toString('hex')}`;
  await administer(serverUrl, `create database ${name}`);
  const databaseUrl = databaseOn(serverUrl, name);
  const dataSource = await openers.openDatabase(databaseUrl);
  const connection = await openers.openBus(natsUrl);
  try {
    const baseline = { insert1: Number.NaN, insert8: Number.NaN, p50Ms: Number.NaN, p99Ms: Number.NaN };
    const figures = await measure(sections, { dataSource, databaseUrl, connection, baseline, seconds: seconds() });
    const missed = figures.filter((figure) => budgetMet(figure) === false);
    process.stdout.write(`\n${missed.length === 0 ? 'All budgets met.' : `Budgets missed: ${missed.length}.`}\n`);
    if (process.argv.includes('--json'))
      process.stdout.write(`${JSON.stringify({ figures, missed: missed.length })}\n`);
  } finally {
    await connection.close();
    await dataSource.destroy();
    await administer(serverUrl, `drop database ${name} with (force)`);
  }
}

async function measure(
  sections: readonly Section[],
  context: BenchContext,
): Promise<readonly (Figure & { section: string })[]> {
  const all: (Figure & { section: string })[] = [];
  for (const { title, run } of sections) {
    process.stdout.write(`${heading(title)}\n`);
    for (const figure of await run(context)) {
      process.stdout.write(`${lineOf(figure)}\n`);
      all.push({ section: title, ...figure });
    }
  }
  return all;
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function databaseOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function required(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set; "npm run bench:log" starts servers and sets it`);
  return value;
}

function seconds(): number {
  const given = process.argv.find((argument) => argument.startsWith('--seconds='))?.slice('--seconds='.length);
  const value = Number(given ?? DEFAULT_SECONDS);
  if (!(value > 0)) throw new Error(`--seconds=${given ?? ''} is not a number of seconds greater than 0`);
  return value;
}
