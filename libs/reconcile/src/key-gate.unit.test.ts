import { describe, expect, it } from '@jest/globals';
import { createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds, silentLogger } from '@davit/ports';
import { createProjectionRunner, inMemoryProjectionStores } from '@davit/projection';
import { KeyGate } from './key-gate.js';
import { counters, wish } from './testing/counting.js';

describe('the gate of keys', () => {
  it('forgets keys whose lease has run out and whose writes are folded in, and no others', async () => {
    const clock = new VirtualClock();
    const { log, feed } = createMemoryLog({ clock, ids: sequentialIds() });
    const store = inMemoryProjectionStores().store(counters);
    const runner = createProjectionRunner({ definition: counters, store, log, feed, clock, logger: silentLogger });
    runner.start();
    await wish(log, 'acme/chat-1-0-1');
    await clock.advance(10);
    const gate = new KeyGate(runner, log, seededRandom(1));
    for (let index = 0; index < 1_000; index++) await gate.entered(`key-${index}`, 1);
    await gate.collided('key-1');
    gate.wrote('ahead', 2);
    expect(gate.remembered).toBe(1_001);
    gate.sweep((key) => key === 'key-0');
    expect(gate.remembered).toBe(2);
    expect(gate.isOpen('ahead', () => undefined)).toBe(false);
    await runner.stop();
  });
});
