import { createRequire } from 'node:module';

// Its types are those of its CommonJS build alone.
/** @type {typeof import('@jest/test-sequencer')} */
const { default: TestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Whole systems and whole lives of them: short files that take longest, of which a checkout that never ran them knows nothing. */
const SYSTEMS = /\.(?:e2e|chaos)\.test\.ts$/;
const LIVES = /\/test\/(?:simulation|bench)\/|\/rollout\/scenarios\//;

/**
 * Jest's own order, which begins with what took longest the last time, but the longest kinds before all others: whoever comes last
 * works alone while the other processors wait. Systems wait much and lives compute all the time, so they are taken by turns.
 */
export default class TestOrder extends TestSequencer {
  /**
   * @param {import('@jest/test-result').Test[]} tests
   * @returns {Promise<import('@jest/test-result').Test[]>}
   * @override
   */
  async sort(tests) {
    return inTurns([...(await super.sort(tests))]);
  }
}

/**
 * @template {{ path: string }} Test
 * @param {readonly Test[]} tests
 * @returns {Test[]}
 */
export function inTurns(tests) {
  const systems = tests.filter(({ path }) => SYSTEMS.test(path));
  const lives = tests.filter(({ path }) => LIVES.test(path) && !SYSTEMS.test(path));
  const turns = Array.from({ length: Math.max(systems.length, lives.length) }, (_, turn) =>
    [systems[turn], lives[turn]].filter((test) => test !== undefined),
  );
  const long = new Set(turns.flat());
  return [...long, ...tests.filter((test) => !long.has(test))];
}
