import type { RouteView } from '@davit/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Cursor } from './cursor.js';
import { RouteSet } from './route-set.js';

describe('a cursor', () => {
  it('takes what follows, whatever other types lie between', () => {
    const cursor = new Cursor(10);
    expect([cursor.take(12, 1), cursor.take(40, 2), cursor.position]).toEqual(['next', 'next', 40]);
  });
  it('sees a delivery that is missing, and one that came twice', () => {
    const cursor = new Cursor(10);
    cursor.take(12, 1);
    expect(cursor.take(14, 3)).toBe('gap');
    expect(cursor.position).toBe(12);
    expect(cursor.take(12, 1)).toBe('duplicate');
    cursor.restart();
    expect(cursor.take(13, 1)).toBe('next');
  });
});

describe('a set of routes', () => {
  const view = (snapshot: number): RouteView => ({
    ...{ alias: 'default/qwen', tenant: 'default', model: 'qwen', targets: [], draining: [], digest: '' },
    snapshot,
    position: snapshot * 10,
  });
  it('ends at the newest snapshot, in whatever order and however often they come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (numbers) => {
        const set = new RouteSet();
        for (const number of numbers) set.take(view(number));
        expect(set.of('default/qwen')?.snapshot).toBe(Math.max(...numbers));
      }),
    );
  });
  it('takes another word on a snapshot of which targets were withheld, and on no other', () => {
    const set = new RouteSet();
    expect(set.take({ ...view(3), digest: 'a part', withheld: 1 })).toBe(true);
    expect(set.take({ ...view(3), digest: 'a part', withheld: 1 })).toBe(false);
    expect(set.take({ ...view(2), digest: 'older' })).toBe(false);
    expect(set.take({ ...view(3), digest: 'whole' })).toBe(true);
    expect(set.take({ ...view(3), digest: 'another' })).toBe(false);
    expect(set.of('default/qwen')?.digest).toBe('whole');
  });
  it('knows nothing of an alias that nobody told of, which is not empty', () => {
    expect(new RouteSet().of('default/qwen')).toBeUndefined();
  });
});
