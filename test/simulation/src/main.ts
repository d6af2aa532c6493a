import { parseArgs } from 'node:util';
import type { RecordedEvent } from '@davit/contracts';
import { type RunOutcome, randomRun, randomUserRun } from './random-runs.js';

const { values } = parseArgs({
  options: {
    /** How many seeds to run, from `from` on. */
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    /** One seed alone. */
    seed: { type: 'string' },
    /** The random user in place of the main job. */
    user: { type: 'boolean', default: false },
    /** Print every event of the run. */
    trace: { type: 'boolean', default: false },
  },
});

const startedMs = Date.now();
const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
const totals = { runs: 0, events: 0, machines: 0, failed: 0 };
for (let seed = first; seed < first + count; seed++) {
  const outcome = await (values.user ? randomUserRun : randomRun)(seed, values.trace ? printEvent : undefined);
  totals.runs += 1;
  totals.events += outcome.events;
  totals.machines += outcome.machines;
  if (outcome.faults.length > 0) {
    totals.failed += 1;
    printFailure(outcome);
  }
}
const seconds = (Date.now() - startedMs) / 1_000;
process.stdout.write(
  `${JSON.stringify({ ...totals, seconds: Number(seconds.toFixed(1)), seedsPerSecond: Number((totals.runs / seconds).toFixed(2)) })}\n`,
);
process.exit(totals.failed === 0 ? 0 : 1);

function printFailure({ seed, faults }: RunOutcome): void {
  process.stdout.write(
    `seed ${seed} failed (replay: npm run chaos -- --seed ${seed}${values.user ? ' --user' : ''} --trace)\n`,
  );
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
}

function printEvent(event: RecordedEvent): void {
  process.stdout.write(
    `${String(event.position).padStart(6)} ${event.time} ${event.type} ${event.stream} ${JSON.stringify(event.data)}\n`,
  );
}
