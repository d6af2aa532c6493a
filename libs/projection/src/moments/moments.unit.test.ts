import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryProjectionStore } from '../memory/memory-store.js';
import { foldUpTo } from '../rebuild.js';
import { ArrayLog } from '../testing/array-log.js';
import { contentOf, plainFold } from '../testing/plain-fold.js';
import { loadEvent, sampleProjection } from '../testing/sample-projection.js';
import { AbandonedError, Moments } from './moments.js';

const EVENTS = 12_000;
const definition = sampleProjection();

let log: ArrayLog;
let read: number;
let counted: Pick<ArrayLog, 'read'>;
beforeEach(() => {
  log = new ArrayLog();
  for (let position = 1; position <= EVENTS; position++)
    log.events.push(loadEvent(position, `acme/chat-1-${position % 40}-1`, position % 7));
  read = 0;
  counted = {
    async read(after, limit) {
      const page = await log.read(after, limit);
      read += page.length;
      return page;
    },
  };
});

const textOf = async (moments: Moments, position: number): Promise<string[]> => {
  const model = await moments.at(position);
  const store = new MemoryProjectionStore();
  await foldUpTo(definition, log, store, 0, position);
  expect(await model.position()).toBe(position);
  const rows = await model.scan(undefined, EVENTS);
  expect(rows.map(({ kind, key, document, position: at }) => ({ kind, key, document, position: at }))).toEqual(
    (await store.scan(undefined, EVENTS)).map(({ kind, key, document, position: at }) => ({
      kind,
      key,
      document,
      position: at,
    })),
  );
  return contentOf(store);
};

describe('a moment of a log', () => {
  it('is the plain fold up to its position, in whatever order moments are asked for and however few are kept', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (positions, kept) => {
          const moments = new Moments({ definition, log, milestones: kept, recent: kept });
          for (const position of positions)
            expect(await textOf(moments, position)).toEqual(plainFold(definition, log.events.slice(0, position)));
          expect(moments.size).toBeLessThanOrEqual(2 * kept);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('costs no more than the events since the nearest that is kept: steps forth and back cost few', async () => {
    const moments = new Moments({ definition, log: counted });
    await moments.at(EVENTS);
    expect(read).toBe(EVENTS);
    read = 0;
    await moments.at(EVENTS);
    expect(read).toBe(0);
    const steps = EVENTS / 10 - 1;
    for (let position = EVENTS - 10; position > 0; position -= 10) {
      const before = read;
      await moments.at(position);
      expect(read - before).toBeLessThanOrEqual(1_000);
    }
    expect(read / steps).toBeLessThan(150);
  });

  it('is folded once for all who ask for it at once', async () => {
    const moments = new Moments({ definition, log: counted });
    await Promise.all(Array.from({ length: 8 }, () => moments.at(EVENTS)));
    expect(read).toBe(EVENTS);
  });

  it('is given up when whoever asked leaves; what was folded by then is of use to the next', async () => {
    const left = new AbortController();
    const leaving = new Moments({
      definition,
      log: {
        async read(after, limit) {
          if (after >= 5_000) left.abort();
          return counted.read(after, limit);
        },
      },
    });
    await expect(leaving.at(EVENTS, left.signal)).rejects.toThrow(AbandonedError);
    expect(read).toBeLessThan(EVENTS);
    read = 0;
    await leaving.at(EVENTS);
    expect(read).toBeLessThanOrEqual(EVENTS - 4_000);
  });

  it('beyond the end of the log does not exist', async () => {
    await expect(new Moments({ definition, log }).at(EVENTS + 1)).rejects.toThrow(RangeError);
  });
});
