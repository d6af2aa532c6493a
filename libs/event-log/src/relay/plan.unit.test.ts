import { describe, expect, test } from '@jest/globals';
import { placesToCompare, planMirror } from './plan.js';

const policy = { refillDepth: 100, canStartAnywhere: true };
const at = (lastSequence: number, messages = lastSequence) => ({ lastSequence, messages });
const same = (position: number) => ({ position, mirrored: 'id', logged: 'id' });

describe('what to do with the mirror', () => {
  test('a missing one is created', () => {
    expect(planMirror({ mirror: undefined, head: 7, compared: [] }, policy)).toEqual({ action: 'create' });
  });

  test('one that agrees with the log is continued at its end', () => {
    expect(planMirror({ mirror: at(5), head: 7, compared: [same(5)] }, policy)).toEqual({
      action: 'publish-after',
      position: 5,
    });
    expect(planMirror({ mirror: at(0), head: 0, compared: [] }, policy)).toEqual({
      action: 'publish-after',
      position: 0,
    });
  });

  test('one whose last message has aged away is continued at its end', () => {
    const compared = [{ position: 5, mirrored: undefined, logged: 'id' }];
    expect(planMirror({ mirror: at(5, 0), head: 7, compared }, policy)).toMatchObject({ action: 'publish-after' });
  });

  test('one that is ahead of the log is rebuilt', () => {
    expect(planMirror({ mirror: at(8), head: 7, compared: [] }, policy)).toMatchObject({ action: 'rebuild' });
    expect(planMirror({ mirror: at(8, 0), head: 7, compared: [] }, policy)).toMatchObject({ action: 'rebuild' });
  });

  test.each([
    ['another event', 'other'],
    ['a message that no relay wrote', ''],
  ])('one that shows %s at a compared place is rebuilt', (_, mirrored) => {
    const compared = [{ position: 3, mirrored, logged: 'id' }, same(5)];
    expect(planMirror({ mirror: at(5), head: 7, compared }, policy)).toMatchObject({ action: 'rebuild' });
  });

  test('one that is further behind than a refill goes starts later, where the broker can do that', () => {
    const view = { mirror: at(5), head: 1_000, compared: [same(5)] };
    expect(planMirror(view, policy)).toEqual({ action: 'start-at', position: 901 });
    expect(planMirror({ ...view, mirror: at(900) }, policy)).toEqual({ action: 'publish-after', position: 900 });
    expect(planMirror(view, { ...policy, canStartAnywhere: false })).toEqual({ action: 'publish-after', position: 5 });
  });
});

test('compared are the end of the mirror, and a refused place inside it', () => {
  expect(placesToCompare(undefined, 3)).toEqual([]);
  expect(placesToCompare(at(9, 0), 3)).toEqual([]);
  expect(placesToCompare(at(9), undefined)).toEqual([9]);
  expect(placesToCompare(at(9), 3)).toEqual([3, 9]);
  expect(placesToCompare(at(9), 9)).toEqual([9]);
  expect(placesToCompare(at(9), 10)).toEqual([9]);
});
