import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryProjectionStore } from '../memory/memory-store.js';
import { foldUpTo } from '../rebuild.js';
import { ArrayLog } from '../testing/array-log.js';
import { loadEvent, sampleProjection } from '../testing/sample-projection.js';
import { ChangeTracker, type Shown } from './change-tracker.js';
import { differences } from './differences.js';

const definition = sampleProjection();
const shown = ({ kind, key }: { readonly kind: string; readonly key: string }, value: Shown['value']): Shown[] => [
  { kind, name: key, value },
];

async function momentOf(log: ArrayLog, position: number): Promise<MemoryProjectionStore> {
  const store = new MemoryProjectionStore();
  await foldUpTo(definition, log, store, 0, position);
  return store;
}

describe('differences of two values', () => {
  it('stand place by place, and what is not there is undefined', () => {
    expect(differences({ a: [1, 2], b: { c: null } }, { a: [1], b: { c: {} } })).toEqual([
      { path: 'a[1]', from: 2, to: undefined },
      { path: 'b.c', from: null, to: {} },
    ]);
  });

  it('are none exactly where the values are the same JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
        expect(differences(one, structuredClone(one))).toEqual([]);
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        if (isSame) expect(differences(one, other)).toEqual([]);
        else if (differences(one, other).length === 0) expect(other).toEqual(one);
      }),
    );
  });
});

describe('what changed between two moments', () => {
  const life = fc.array(fc.record({ replica: fc.nat(3), running: fc.nat(3) }), { minLength: 1, maxLength: 40 });

  it('is what the two folds differ in, each field by the last event in between that changed it', async () => {
    await fc.assert(
      fc.asyncProperty(life, fc.nat(40), fc.nat(40), async (loads, one, other) => {
        const log = new ArrayLog();
        for (const [at, { replica, running }] of loads.entries())
          log.events.push(loadEvent(at + 1, `acme/chat-1-${replica}-1`, running));
        const [from = 0, to = 0] = [one % (loads.length + 1), other % (loads.length + 1)].sort((a, b) => a - b);
        const [before, after] = await Promise.all([momentOf(log, from), momentOf(log, to)]);
        const tracker = new ChangeTracker({ definition, before, shown, kinds: ['replica', 'tenant'] });
        await tracker.see(log.events.slice(from, to));
        const changes = tracker.changes();
        if (from === to) expect(changes).toEqual([]);

        const refs = [...(await before.scan(undefined, 100)), ...(await after.scan(undefined, 100))];
        const names = [...new Set(refs.map(({ kind, key }) => `${kind} ${key}`))];
        for (const name of names) {
          const [kind = '', key = ''] = name.split(' ');
          const [was, is] = [await before.get(kind, key), await after.get(kind, key)];
          const change = changes.find((found) => found.kind === kind && found.name === key);
          const told = (change?.fields ?? []).map(({ path, from: a, to: b }) => ({ path, from: a, to: b }));
          expect(told).toEqual(differences(was?.document ?? {}, is?.document ?? {}));
          if (change) expect([change.existed, change.exists]).toEqual([was !== undefined, is !== undefined]);
        }
        for (const { fields, by } of changes) {
          for (const field of fields) expect(field.by.position).toBeGreaterThan(from);
          for (const field of fields) expect(field.by.position).toBeLessThanOrEqual(by.position);
          expect(by.position).toBeLessThanOrEqual(to);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('leaves out what came back to what it was', async () => {
    const replica = 'acme/chat-1-0-1';
    const fold = { ...definition, evolve: (_: unknown, event: { readonly data: unknown }) => ({ data: event.data }) };
    const events = [1, 2, 1].map((running, at) => loadEvent(at + 1, replica, running));
    const store = new MemoryProjectionStore();
    const log = new ArrayLog();
    log.events.push(...events);
    await foldUpTo(fold, log, store, 0, 1);
    const tracker = new ChangeTracker({ definition: fold, before: store, shown, kinds: ['replica'] });
    await tracker.see(events.slice(1));
    expect(tracker.changes()).toEqual([]);
  });
});
