import type { NatsConnection } from 'nats';
import type { DataSource } from 'typeorm';

/** One measured thing. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: '/s' | 'ms' | 'KiB' | 'MiB' | '×';
  /** The same as a multiple of the plainest way to do it in this run: a single-row insert where a log is measured. */
  readonly ratio?: number;
  /** A promise of the design that this figure keeps or breaks. */
  readonly budget?: { readonly atLeast: number } | { readonly atMost: number };
}

/** What sections share. Each leaves the log as full as it made it. */
export interface BenchContext {
  readonly dataSource: DataSource;
  /** A database of the run's own. */
  readonly databaseUrl: string;
  readonly connection: NatsConnection;
  /** Set by the section `plain insert`, which runs first. */
  readonly baseline: { insert1: number; insert8: number; p50Ms: number; p99Ms: number };
  /** Length of one timed run. */
  readonly seconds: number;
}

/** One group of figures. To add one: write it under `sections/` and name it in the list of its benchmark. */
export interface Section {
  readonly title: string;
  readonly run: (context: BenchContext) => Promise<readonly Figure[]>;
}

export const budgetMet = ({ value, budget }: Figure): boolean | undefined => {
  if (!budget) return undefined;
  return 'atLeast' in budget ? value >= budget.atLeast : value <= budget.atMost;
};
