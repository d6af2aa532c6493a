import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock, silentLogger } from '@davit/ports';
import { inMemoryProjectionStores } from './memory/memory-stores.js';
import { ArrayLog, ScriptedFeed } from './testing/array-log.js';
import { contentOf, plainFold } from './testing/plain-fold.js';
import { loadEvent, sampleProjection } from './testing/sample-projection.js';
import { type VersionedProjection, createVersionedProjection } from './versioned-projection.js';

const RETIRE_MS = 60_000;

describe('versions of a projection', () => {
  let clock: VirtualClock;
  let log: ArrayLog;
  let feed: ScriptedFeed;
  let stores = inMemoryProjectionStores();

  beforeEach(() => {
    clock = new VirtualClock();
    log = new ArrayLog();
    feed = new ScriptedFeed();
    stores = inMemoryProjectionStores();
  });

  const append = (count: number): void => {
    for (let index = 0; index < count; index++) {
      const position = log.events.length + 1;
      log.events.push(loadEvent(position, `acme/chat-1-${position % 7}-1`, 1 + (position % 5)));
    }
  };

  const run = async (version: number): Promise<VersionedProjection> => {
    const definition = sampleProjection(version);
    const parts = { definition, stores, log, feed, clock, logger: silentLogger, retireAfterMs: RETIRE_MS };
    const projection = createVersionedProjection(parts);
    projection.start();
    await clock.advance(0);
    return projection;
  };

  const servedVersion = async (projection: VersionedProjection): Promise<unknown> => {
    const model = await projection.resolveActive();
    return (await model.get('tenant', 'acme'))?.document['version'];
  };

  it('serves the first version at once', async () => {
    append(10);
    const first = await run(1);
    expect(await stores.activeVersion('loads')).toBe(1);
    expect(await servedVersion(first)).toBe(1);
  });

  it('serves the old version until the new one is close to the log, then the new one', async () => {
    append(10);
    const first = await run(1);
    log.unreadable = 5;
    const second = await run(2);
    await clock.advance(5_000);
    expect(second.status().state).toBe('stopped');
    expect(await servedVersion(second)).toBe(1);
    log.unreadable = undefined;
    await clock.advance(60_000);
    expect(await servedVersion(second)).toBe(2);
    expect(await stores.activeVersion('loads')).toBe(2);
    expect(await servedVersion(first)).toBe(1);
  });

  it('keeps the old tables while somebody folds them, and drops them when nobody does', async () => {
    append(10);
    const first = await run(1);
    const second = await run(2);
    await clock.advance(1_000);
    append(1);
    await clock.advance(RETIRE_MS);
    expect(await stores.versions('loads')).toEqual([1, 2]);
    await first.stop();
    append(1);
    await clock.advance(2 * RETIRE_MS);
    expect(await stores.versions('loads')).toEqual([2]);
    expect(await contentOf(stores.store({ name: 'loads', version: 2 }))).toEqual(
      plainFold(sampleProjection(2), log.events),
    );
    await second.stop();
  });

  it('goes back to an older version by the same move', async () => {
    append(10);
    await (await run(1)).stop();
    const second = await run(2);
    await clock.advance(1_000);
    await second.stop();
    append(5);
    const again = await run(1);
    await clock.advance(1_000);
    expect(await stores.activeVersion('loads')).toBe(1);
    expect(await again.audit()).toMatchObject({ equal: true, position: 15 });
    await again.stop();
  });
});
