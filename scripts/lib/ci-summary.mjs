import { readFileSync } from 'node:fs';
import { summaryLine } from './test-summary.mjs';

// Arguments: the counts left by the test run, its exit code, the number of other checks, and how many of those failed.
const [file = '', testCode = '1', checks = '0', checksFailed = '0'] = process.argv.slice(2);
const summary = readSummary(file);
const tests = summaryLine(summary, Number(testCode));
const failedChecks = Number(checksFailed);
const passed = (summary?.passed ?? 0) + Number(checks) - failedChecks;
const failed = (summary?.failed ?? 0) + (tests.ok || (summary?.failed ?? 0) > 0 ? 0 : 1) + failedChecks;
process.stdout.write(`${summaryLine({ passed, failed, skipped: summary?.skipped ?? 0 }, 0).line}\n`);
process.exitCode = failed === 0 && Number(testCode) === 0 ? 0 : 1;

/** @param {string} path */
function readSummary(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
