import { expect, test } from '@jest/globals';
import { outcome, summarise, summaryLine } from './test-summary.mjs';

test.each([
  [{ passed: 3, failed: 0, skipped: 0 }, 0, '3 passed, 0 failed', true],
  [{ passed: 3, failed: 0, skipped: 2 }, 0, '3 passed, 0 failed, 2 skipped', true],
  [{ passed: 3, failed: 2, skipped: 0 }, 1, '3 passed, 2 failed', false],
  [{ passed: 3, failed: 0, skipped: 0 }, 1, '3 passed, 1 failed', false],
  [undefined, 0, '0 passed, 1 failed', false],
])('%j with exit code %j closes with %j', (summary, code, line, ok) => {
  expect(summaryLine(outcome(summary, code))).toEqual({ line, ok });
});

test('a file that could not be run counts as a failure', () => {
  const results = {
    numPassedTests: 4,
    numFailedTests: 1,
    numRuntimeErrorTestSuites: 2,
    numPendingTests: 1,
    numTodoTests: 0,
  };
  expect(summarise(results)).toEqual({ passed: 4, failed: 3, skipped: 1 });
});

test('several runs close with one line, and one that did not come to its count fails them all', () => {
  const well = outcome({ passed: 3, failed: 0, skipped: 1 }, 0);
  expect(summaryLine(well, well)).toEqual({ line: '6 passed, 0 failed, 2 skipped', ok: true });
  expect(summaryLine(well, outcome(undefined, 1))).toEqual({ line: '3 passed, 1 failed, 1 skipped', ok: false });
});
