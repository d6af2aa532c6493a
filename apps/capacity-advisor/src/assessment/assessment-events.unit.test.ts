import { describe, expect, it } from '@jest/globals';
import { type AdviceFailure, adviceOf, unknownBecause } from '../advisors/advisor.js';
import { questionOf } from '../advisors/testing/golden.js';
import { type AssessedRung, type FailureMemory, assessmentWrites } from './assessment-events.js';

const rungs = (...failures: readonly (AdviceFailure | undefined)[]): readonly AssessedRung[] =>
  failures.map((failure, rung) => {
    const question = questionOf('vast', { diskGiB: 100 });
    const stamp = { source: 'vast-offers', observedAtMs: 0, lifetimeMs: 60_000 };
    return {
      ...question,
      diskGiB: 100,
      rung,
      advice: adviceOf(unknownBecause('x', failure), question, stamp),
      news: [],
    };
  });

const REPLICA = { id: 'default/qwen-1-0-1', discovery: { attempt: 1 } } as Parameters<typeof assessmentWrites>[0]; // all that is read of it

const told = (memory: FailureMemory, ...failures: readonly (AdviceFailure | undefined)[]): number =>
  assessmentWrites(REPLICA, rungs(...failures), memory)
    .flatMap(({ events }) => [...events])
    .filter(({ type }) => type === 'davit.capacity.advice-failed').length;

describe('a source that fails', () => {
  it('is told of once, however many rungs it fails for and however often', () => {
    const memory: FailureMemory = new Map();
    expect(told(memory, 'outage', 'outage')).toBe(1);
    expect(told(memory, 'outage')).toBe(0);
  });

  it('is told of once while it answers some rungs and not others', () => {
    const memory: FailureMemory = new Map();
    expect(told(memory, undefined, 'rate-limited', undefined)).toBe(1);
    expect(told(memory, undefined, 'rate-limited', undefined)).toBe(0);
  });

  it('is told of again when it fails in another way, or after it had answered', () => {
    const memory: FailureMemory = new Map();
    expect(told(memory, 'outage')).toBe(1);
    expect(told(memory, 'credentials-rejected')).toBe(1);
    expect(told(memory, undefined)).toBe(0);
    expect(told(memory, 'outage')).toBe(1);
  });
});
