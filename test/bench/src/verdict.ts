import { parseArgs } from 'node:util';
import { percentile } from './measure.js';
import { type Kind, KINDS } from './verdict/kinds.js';
import { type Ending, type Row, endingOf, rowOf } from './verdict/tally.js';
import { tracesOf } from './verdict/traces.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** So many seeds, one after the other. */
    seeds: { type: 'string', default: '1' },
    /** Traces of every kind for each seed. */
    each: { type: 'string', default: '25' },
    json: { type: 'boolean', default: false },
  },
});
const MOST_FALSE_REJECTS = 0.02;
const PROGRESS_EVERY = 100;

const first = Number(values.seed);
const seeds = Number(values.seeds);
const endings: Ending[] = [];
const startMs = performance.now();
for (let seed = first; seed < first + seeds; seed++) {
  for (const trace of tracesOf(seed, Number(values.each))) endings.push(endingOf(trace));
  const done = seed - first + 1;
  if (done % PROGRESS_EVERY === 0 && process.stderr.isTTY) process.stderr.write(`\r${done} of ${seeds} seeds`);
}
const seconds = (performance.now() - startMs) / 1_000;

const rows = (Object.keys(KINDS) as Kind[]).map((kind) =>
  rowOf(
    kind,
    endings.filter((ending) => ending.kind === kind),
  ),
);
const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
const falseAccepts = sum((row) => row.falseAccepts);
const falseRejects = sum((row) => row.falseRejects);
const good = sum((row) => row.labelledGood);

const HEADINGS = ['kind', 'traces', 'accept', 'reject', 'wait', 'not proven', 'false acc.', 'false rej.'] as const;
const MEASURED = ['requests p50', 'p95', 'min. p50', 'p95'] as const;
const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, index) => (index === 0 ? String(cell).padEnd(17) : String(cell).padStart(13))).join('');
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

process.stdout.write(`\n${endings.length} labelled rollouts, seeds ${first} to ${first + seeds - 1}\n\n`);
process.stdout.write(`${line([...HEADINGS, ...MEASURED])}\n`);
for (const row of rows) {
  const { kind, traces, accept, reject, wait, notProven, requests, minutes } = row;
  const spread = [requests, minutes].flatMap((list) => [
    whole(percentile([...list], 0.5)),
    whole(percentile([...list], 0.95)),
  ]);
  const counts = [kind, traces, accept, reject, wait, notProven, row.falseAccepts, row.falseRejects];
  process.stdout.write(`${line([...counts, ...spread])}\n`);
}
for (const { kind, label, verdict, rules, open } of endings) {
  if ((label === 'accept') === (verdict === 'accept')) continue;
  process.stdout.write(`\n  ${kind}: ${verdict} (${rules.join(', ')}) ${open.join('; ')}\n`);
}
const share = falseRejects / good;
const isKept = falseAccepts === 0 && share <= MOST_FALSE_REJECTS;
process.stdout.write(
  `\nfalse accepts ${falseAccepts} of ${endings.length - good} (none may be), false rejects ${falseRejects} of ${good}: ${(100 * share).toFixed(2)} % (2 % may be)\n` +
    `${isKept ? 'Both limits kept' : 'LIMITS MISSED'}, ${seconds.toFixed(1)} s\n`,
);
if (values.json) process.stdout.write(`${JSON.stringify({ rows, falseAccepts, falseRejects, seconds })}\n`);
if (!isKept) process.exitCode = 1;
