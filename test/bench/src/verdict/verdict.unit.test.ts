import { describe, expect, it } from '@jest/globals';
import { type Kind, KINDS } from './kinds.js';
import { endingOf, rowOf } from './tally.js';
import { traceOf, tracesOf } from './traces.js';

describe('verdicts on 200 labelled rollouts', () => {
  const endings = tracesOf(1, 25).map(endingOf);
  const rows = (Object.keys(KINDS) as Kind[]).map((kind) =>
    rowOf(
      kind,
      endings.filter((ending) => ending.kind === kind),
    ),
  );

  it('are all given, on 25 of each kind', () => {
    expect(endings).toHaveLength(200);
    expect(rows.map(({ traces, wait }) => [traces, wait])).toEqual(rows.map(() => [25, 0]));
  });

  it('accept none that is worse, unproven or unmeasured', () => {
    expect(rows.map(({ kind, falseAccepts }) => [kind, falseAccepts])).toEqual(rows.map(({ kind }) => [kind, 0]));
  });

  it('reject at most 2 % of those that are as good', () => {
    const good = endings.filter(({ label }) => label === 'accept');
    expect(good).toHaveLength(50);
    expect(good.filter(({ verdict }) => verdict !== 'accept').length).toBeLessThanOrEqual(0.02 * good.length);
  });

  it('reject what is bad for what is bad about it, long before the deadline', () => {
    const bad = endings.filter(({ kind }) => kind === 'bad');
    expect(bad.filter(({ rules }) => rules.includes('not-proven'))).toEqual([]);
    expect(bad.filter(({ elapsedMs }) => elapsedMs > 15 * 60_000)).toEqual([]);
  });

  it('come out the same from the same seed', () => {
    expect(endingOf(traceOf('late-regression', 7))).toEqual(endingOf(traceOf('late-regression', 7)));
  });
});
