import { expect, test } from '@jest/globals';
import { partOf, type Probe, shortMatrix } from './cells.js';
import { ROLLOUT_SCENARIOS } from './rollouts.js';

test('parts of a matrix hold every cell once, and what names no part is refused', () => {
  const cells = Array.from({ length: 11 }, (_, index) => index);
  const parts = [1, 2, 3, 4].map((part) => partOf(cells, `${part}/4`));
  expect(parts.flat().toSorted((a, b) => a - b)).toEqual(cells);
  expect(parts[1]).toEqual([1, 5, 9]);
  for (const wrong of ['0/4', '5/4', '4', 'all', '1/0']) expect(() => partOf(cells, wrong)).toThrow(/names no part/);
});

const probe = (instances: number, events: number, ...points: readonly string[]): Probe =>
  ({
    ...{ scenario: ROLLOUT_SCENARIOS[0], instances, seed: 1 },
    outcome: { strike: { visits: new Map(points.map((id) => [id, 1])) }, events, faults: [] },
  }) as unknown as Probe; // only what is read

test('a point is struck only with as many instances as a probe has passed it with', () => {
  const [alone, together, both] = ['append x a', 'append x a+b', 'append x c'];
  const cells = shortMatrix([probe(1, 10, alone, both), probe(2, 12, together, both)]);
  const of = (point: string) =>
    cells.filter(({ target }) => target.id === point).map(({ instances, target: { kind } }) => `${kind} ${instances}`);
  expect(of(alone)).toEqual(['before 1', 'after 1', 'reply-lost 1']);
  expect(of(together)).toEqual(['before 2', 'after 2', 'reply-lost 2', 'overtaken 2']);
  expect(new Set(of(both))).toEqual(new Set(['before 1', 'after 2', 'reply-lost 1', 'overtaken 2']));
});
