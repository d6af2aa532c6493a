import { writeFileSync } from 'node:fs';

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
 * The closing line. A run that ended badly never reads as one without failures.
 * @param {Summary | undefined} summary undefined when the run ended before it could count
 * @param {number} exitCode of the test runner
 * @returns {{ line: string, ok: boolean }}
 */
export function summaryLine(summary, exitCode) {
  const { passed = 0, failed = 0, skipped = 0 } = summary ?? {};
  const failures = failed === 0 && (exitCode !== 0 || summary === undefined) ? 1 : failed;
  return {
    line: `${passed} passed, ${failures} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
    ok: failures === 0,
  };
}
