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
  it('takes what it has already for no news, but remembers that it is so still', () => {
    const set = new RouteSet();
    expect(set.take(view(3))).toBe(true);
    expect(set.take({ ...view(3), position: 35 })).toBe(false);
    expect(set.take({ ...view(3), digest: 'a part', withheld: 1, position: 31 })).toBe(false);
    expect(set.of('default/qwen')).toMatchObject({ digest: '', position: 35 });
  });
  it('ends at the newest word on a snapshot, withheld or proven anew, in whatever order and however often they come', () => {
    const words: readonly RouteView[] = [
      view(3),
      { ...view(3), digest: 'a part', withheld: 1 },
      { ...view(3), digest: 'less', withheld: 2, position: 31 },
      { ...view(3), digest: 'whole again', position: 35 },
    ];
    const places = fc.array(fc.nat(words.length - 1), { minLength: 1 });
    fc.assert(
      fc.property(places, (order) => {
        const set = new RouteSet();
        const news = order.filter((place) => set.take(words[place] ?? view(1)));
        expect(set.of('default/qwen')).toBe(words[Math.max(...order)]);
        expect(news).toEqual([...new Set(news)].sort());
      }),
    );
  });
  it('knows nothing of an alias that nobody told of, which is not empty', () => {
    expect(new RouteSet().of('default/qwen')).toBeUndefined();
  });
});
