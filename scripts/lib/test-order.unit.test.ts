import { expect, test } from '@jest/globals';
import { inTurns } from './test-order.mjs';

const order = (...paths: string[]): string[] => inTurns(paths.map((path) => ({ path }))).map(({ path }) => path);

test('systems and lives come first and by turns, and the rest keeps its order', () => {
  const [job, doors] = ['/d/test/e2e/src/main-job.e2e.test.ts', '/d/test/e2e/src/doors.e2e.test.ts'];
  const [matrix, runs, verdict] = [
    '/d/test/simulation/src/matrix/matrix.unit.test.ts',
    '/d/test/simulation/src/random-runs.unit.test.ts',
    '/d/test/bench/src/verdict/verdict.unit.test.ts',
  ];
  const [money, log] = ['/d/libs/domain/src/money.unit.test.ts', '/d/libs/event-log/src/append.int.test.ts'];
  expect(order(log, job, matrix, money, runs, doors, verdict)).toEqual([job, matrix, doors, runs, verdict, log, money]);
  expect(order(money, log)).toEqual([money, log]);
  expect(order()).toEqual([]);
});
