import { outcome, readSummary, summaryLine } from './test-summary.mjs';

// Arguments: the number of checks that are no tests, how many of them failed, then of each run of tests the file of its counts and its exit code.
const [checks = '0', checksFailed = '0', ...runs] = process.argv.slice(2);
const failed = Number(checksFailed);
const outcomes = [{ passed: Number(checks) - failed, failed, skipped: 0 }];
for (let run = 0; run < runs.length; run += 2)
  outcomes.push(outcome(readSummary(runs[run] ?? ''), Number(runs[run + 1] ?? '1')));
const { line, ok } = summaryLine(...outcomes);
process.stdout.write(`${line}\n`);
process.exitCode = ok ? 0 : 1;
