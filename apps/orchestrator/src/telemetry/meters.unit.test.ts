import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@davit/contracts';
import { staysIn } from './meters.js';

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const event = (type: string, second: number) => ({ type, time: at(second) }) as RecordedEvent; // no more is read of it

describe('the time that a replica was in each status', () => {
  const launching = { status: 'launching', since: at(5) } as const;

  it('is told when it leaves it, status by status', () => {
    const events = [event('davit.replica.ready', 20), event('davit.replica.drain-requested', 32)];
    expect(staysIn(launching, events)).toEqual([
      { status: 'launching', seconds: 15 },
      { status: 'ready', seconds: 12 },
    ]);
  });

  it('is not told by what changes no status, or is decided of something else', () => {
    expect(staysIn(launching, [event('davit.deployment.condition-changed', 9)])).toEqual([]);
    expect(staysIn(launching, [event('davit.replica.requested', 9)])).toEqual([]);
  });

  it('is never less than nothing, where clocks disagree', () => {
    expect(staysIn(launching, [event('davit.replica.ready', 4)])).toEqual([{ status: 'launching', seconds: 0 }]);
  });
});
