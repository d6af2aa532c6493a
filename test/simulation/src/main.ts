import type { RecordedEvent } from '@davit/contracts';
import { readArguments } from './arguments.js';
import { type Job, runAll } from './crew.js';
import { RUN_KINDS, type RunKind, type RunOutcome, kindOf, randomRun } from './random-runs.js';
import { totalsOf } from './totals.js';

const PROGRESS_MS = 5_000;

const values = readArguments({
  /** How many seeds to run, from `from` on. */
  seeds: { type: 'string', default: '100' },
  from: { type: 'string', default: '1' },
  /** One seed alone. */
  seed: { type: 'string' },
  /** One kind of run; by default each seed has its own, so that many are a mix of all. */
  kind: { type: 'string' },
  /** Print every event of the one seed. */
  trace: { type: 'boolean', default: false },
});

const kind = kindNamed(values.kind);
const first = wholeNumber('seed', values.seed ?? values.from);
const count = values.seed === undefined ? wholeNumber('seeds', values.seeds) : 1;
const jobs = Array.from({ length: count }, (_, index): Job => {
  const seed = first + index;
  return { seed, kind: kind ?? kindOf(seed) };
});

const startedMs = Date.now();
const outcomes: RunOutcome[] = [];
const [only] = jobs;
const note = noting(outcomes);
if (only && jobs.length === 1) note(await randomRun(only.seed, only.kind, values.trace ? printEvent : undefined));
else await runAll(jobs, note);
const totals = totalsOf(outcomes, Date.now() - startedMs);
process.stdout.write(`${JSON.stringify(totals)}\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;

function noting(into: RunOutcome[]): (outcome: RunOutcome) => void {
  let saidMs = Date.now();
  return (outcome) => {
    into.push(outcome);
    if (outcome.faults.length > 0) printFailure(outcome);
    if (Date.now() - saidMs < PROGRESS_MS) return;
    saidMs = Date.now();
    const failed = into.filter(({ faults }) => faults.length > 0).length;
    process.stderr.write(`${into.length} of ${count} runs, ${failed} failed\n`);
  };
}

function printFailure({ seed, kind: ran, faults }: RunOutcome): void {
  process.stdout.write(`seed ${seed} failed (replay: npm run chaos -- --seed ${seed} --kind ${ran} --trace)\n`);
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
}

function printEvent(event: RecordedEvent): void {
  process.stdout.write(
    `${String(event.position).padStart(6)} ${event.time} ${event.type} ${event.stream} ${JSON.stringify(event.data)}\n`,
  );
}

function kindNamed(name: string | undefined): RunKind | undefined {
  const found = RUN_KINDS.find((known) => known === name);
  if (name !== undefined && found === undefined) refuse(`--kind ${name} is none of ${RUN_KINDS.join(', ')}`);
  return found;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) refuse(`--${name} ${text} is not a whole number from 1 on`);
  return Number(text);
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
