import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock, silentLogger } from '@davit/ports';
import fc from 'fast-check';
import { type AuditReport, auditProjection } from './audit.js';
import { inMemoryProjectionStores } from './memory/memory-stores.js';
import type { DocumentChange } from './projection.js';
import { createProjectionRunner } from './runner.js';
import { ArrayLog, ScriptedFeed } from './testing/array-log.js';
import { loadEvent, sampleProjection } from './testing/sample-projection.js';

const definition = sampleProjection();
const EVENTS = 40;

describe('audit', () => {
  let clock: VirtualClock;
  let log: ArrayLog;
  let stores = inMemoryProjectionStores();

  beforeEach(async () => {
    clock = new VirtualClock();
    log = new ArrayLog();
    stores = inMemoryProjectionStores();
    for (let position = 1; position <= EVENTS; position++) {
      log.events.push(loadEvent(position, `acme/chat-1-${position % 4}-1`, 1 + (position % 5)));
    }
    const store = stores.store(definition);
    const parts = { definition, store, log, feed: new ScriptedFeed(), clock, logger: silentLogger };
    const runner = createProjectionRunner(parts);
    runner.start();
    await clock.advance(0);
    await runner.stop();
  });

  const audit = (): Promise<AuditReport> => auditProjection({ definition, stores, log, clock });

  const plant = async (change: Partial<DocumentChange>): Promise<void> => {
    const whole = { kind: 'replica', key: 'acme/chat-1-1-1', document: {}, groups: [], position: 37, ...change };
    const store = stores.store(definition);
    await store.commit(EVENTS, EVENTS, [whole]);
  };

  it('finds a projection equal to its log and leaves no shadow behind', async () => {
    expect(await audit()).toEqual({
      equal: true,
      position: EVENTS,
      compared: 5,
      differing: 0,
      firstDifference: undefined,
    });
    expect(await stores.shadows(definition)).toEqual([]);
  });

  it('names the event after which a document is not what folding gives', async () => {
    await plant({ document: { running: 99 }, position: 37 });
    expect(await audit()).toMatchObject({
      equal: false,
      differing: 1,
      firstDifference: { kind: 'replica', key: 'acme/chat-1-1-1', position: 37, live: { running: 99 } },
    });
  });

  it('names the first update that was lost', async () => {
    const past = { running: 1 + (29 % 5), positions: [1, 5, 9, 13, 17, 21, 25, 29], version: 1 };
    await plant({ document: past, groups: [`load:${past.running}`, 'quoted "\\" group'], position: 29 });
    expect((await audit()).firstDifference).toMatchObject({ position: 33, livePosition: 29, rebuiltPosition: 37 });
  });

  it('names the first event of a document that is missing', async () => {
    await plant({ document: undefined });
    const { firstDifference } = await audit();
    expect(firstDifference).toMatchObject({ position: 1, live: undefined, rebuilt: { running: 3 } });
  });

  it('finds a document that no event speaks of', async () => {
    await plant({ key: 'acme/ghost-1-1-1', position: 12 });
    expect((await audit()).firstDifference).toMatchObject({
      key: 'acme/ghost-1-1-1',
      position: 12,
      rebuilt: undefined,
    });
  });

  it('finds a document that is listed under the wrong group', async () => {
    const store = stores.store(definition);
    const row = await store.get('replica', 'acme/chat-1-1-1');
    await plant({ document: row?.document, groups: ['elsewhere'], position: row?.position ?? 0 });
    expect(await audit()).toMatchObject({ equal: false, differing: 1, firstDifference: { position: 37 } });
  });

  it('reports the difference that began first when there are several', async () => {
    await plant({ document: { running: 99 }, position: 37 });
    await plant({ key: 'acme/chat-1-2-1', document: { running: 98 }, position: 38 });
    await plant({ key: 'acme/chat-1-0-1', document: { running: 97 }, position: 20 });
    expect(await audit()).toMatchObject({ differing: 3, firstDifference: { key: 'acme/chat-1-0-1', position: 20 } });
  });

  it('is not misled by changes that arrive while it compares', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.nat(3), { minLength: 1, maxLength: 30 }),
        async (planted, replicas) => {
          const own = inMemoryProjectionStores();
          const store = own.store(definition);
          const parts = { definition, store, log, feed: new ScriptedFeed(), clock, logger: silentLogger };
          const before = log.events.length;
          const runner = createProjectionRunner(parts);
          runner.start();
          await runner.untilCaughtUp(before);
          if (planted) {
            await store.commit(before, before, [
              { kind: 'replica', key: 'acme/planted', document: {}, groups: [], position: 2 },
            ]);
          }
          const pending = [...replicas];
          const original = { scan: store.scan.bind(store), getMany: store.getMany.bind(store) };
          const change = async (): Promise<void> => {
            const replica = pending.shift();
            if (replica === undefined) return;
            const event = loadEvent(log.events.length + 1, `acme/chat-1-${replica}-1`, replica);
            log.events.push(event);
            await parts.feed.deliver([event]);
            await runner.untilCaughtUp(event.position);
          };
          const report = await auditProjection({
            definition,
            log,
            clock,
            stores: {
              ...own,
              store: () => ({
                prepare: () => store.prepare(),
                commit: (from, to, changes) => store.commit(from, to, changes),
                get: (kind, key) => store.get(kind, key),
                list: (kind, group) => store.list(kind, group),
                position: () => store.position(),
                scan: async (after, limit) => {
                  await change();
                  const rows = await original.scan(after, 2);
                  await change();
                  return rows.slice(0, limit);
                },
                getMany: async (refs) => {
                  await change();
                  const rows = await original.getMany(refs);
                  await change();
                  return rows;
                },
              }),
            },
          });
          await runner.stop();
          expect(report.equal).toBe(!planted);
          if (planted) expect(report.firstDifference).toMatchObject({ key: 'acme/planted', position: 2 });
        },
      ),
      { numRuns: 40 },
    );
  });
});
