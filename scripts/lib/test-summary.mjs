import { readFileSync, writeFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Summary */

/** Jest reporter that leaves the counts in the file named by DAVIT_TEST_SUMMARY. */
export default class SummaryReporter {
  /**
   * @param {unknown} _contexts
   * @param {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number, numPendingTests: number, numTodoTests: number }} results
   */
  onRunComplete(_contexts, results) {
    const file = process.env.DAVIT_TEST_SUMMARY;
    if (file !== undefined) writeFileSync(file, JSON.stringify(summarise(results)));
  }
}

/**
 * A test file that could not be run counts as one failure: none of its tests were counted.
 * @param {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number, numPendingTests: number, numTodoTests: number }} results
 * @returns {Summary}
 */
export function summarise(results) {
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

/**
 * What a run came to. One that ended badly never reads as one without failures.
 * @param {Summary | undefined} summary undefined when the run ended before it could count
 * @param {number} exitCode of the test runner
 * @returns {Summary}
 */
export function outcome(summary, exitCode) {
  const { passed = 0, failed = 0, skipped = 0 } = summary ?? {};
  const unsaid = failed === 0 && (exitCode !== 0 || summary === undefined);
  return { passed, failed: unsaid ? 1 : failed, skipped };
}

/**
 * The closing line.
 * @param {...Summary} runs
 * @returns {{ line: string, ok: boolean }}
 */
export function summaryLine(...runs) {
  const sum = (/** @type {keyof Summary} */ of) => runs.reduce((total, run) => total + run[of], 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  return {
    line: `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
    ok: failed === 0,
  };
}

/**
 * The counts that a run left behind, if it came to that.
 * @param {string} file
 * @returns {Summary | undefined}
 */
export function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
