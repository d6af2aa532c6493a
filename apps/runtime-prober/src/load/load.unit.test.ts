import { describe, expect, it } from '@jest/globals';
import type { ReplicaState } from '@davit/domain';
import { NOTHING_SAID } from '../metrics/load.js';
import { watchForHang } from './hang.js';
import { loadSummary } from './summary.js';

const NOW = Date.UTC(2026, 0, 1, 0, 1);
const at = (agoMs: number): string => new Date(NOW - agoMs).toISOString();
const INTERVALS = { loadSummaryMs: 15_000, drainSummaryMs: 1_000 };

type Parts = Pick<ReplicaState, 'id' | 'status' | 'load' | 'route'>;
const replica = (parts: Partial<Parts> = {}): ReplicaState => {
  const route = { registered: true, aliases: ['default/qwen'], changedAt: at(60_000), snapshot: 1 };
  const whole: Parts = { id: 'default/qwen-1-0-1', status: 'ready', load: null, route, ...parts };
  return whole as ReplicaState; // the other members are not read
};
const reading = (running: number | null, waiting: number | null = 0) => ({ ...NOTHING_SAID, running, waiting });
const summary = (parts: Partial<Parts>, running: number | null, waiting?: number | null) =>
  loadSummary(replica(parts), reading(running, waiting), NOW, INTERVALS);

describe('a load summary', () => {
  it('is written for the first numbers a server tells, and not for its silence', () => {
    expect(summary({}, 0)).toMatchObject({ data: { running: 0, waiting: 0 } });
    expect(loadSummary(replica(), NOTHING_SAID, NOW, INTERVALS)).toBeUndefined();
  });
  it('is written on change only, and not again within its interval', () => {
    expect(summary({ load: { running: 2, waiting: 0, at: at(60_000) } }, 2)).toBeUndefined();
    expect(summary({ load: { running: 2, waiting: 0, at: at(14_999) } }, 3)).toBeUndefined();
    expect(summary({ load: { running: 2, waiting: 0, at: at(15_000) } }, 3)).toBeDefined();
  });
  it('says so when a server stops telling', () => {
    expect(summary({ load: { running: 0, waiting: 0, at: at(60_000) } }, null, null)).toMatchObject({
      data: { running: null, waiting: null },
    });
  });

  const withdrawn = { registered: false, aliases: [], changedAt: at(5_000), snapshot: 2 };
  const draining = { status: 'draining' as const, route: withdrawn };
  it('comes more often while requests run out', () => {
    expect(summary({ ...draining, load: { running: 2, waiting: 0, at: at(1_000) } }, 1)).toBeDefined();
    expect(summary({ ...draining, load: { running: 2, waiting: 0, at: at(999) } }, 1)).toBeUndefined();
  });
  it('is written for the first reading after the route went, since a drain waits for that', () => {
    expect(summary({ ...draining, load: null }, 0)).toBeDefined();
    expect(summary({ ...draining, load: { running: 0, waiting: 0, at: at(4_000) } }, 0)).toBeUndefined();
  });
});

describe('the mark of a hang', () => {
  const busy = (progress: string | null) => ({ ...NOTHING_SAID, running: 1, waiting: 0, progress });
  it('is work inside while no counter moves', () => {
    const first = watchForHang(null, busy('[1]'), 1_000);
    expect(watchForHang(first, busy('[1]'), 9_000)).toEqual({ progress: '[1]', sinceMs: 1_000 });
    expect(watchForHang(first, busy('[2]'), 9_000)).toEqual({ progress: '[2]', sinceMs: 9_000 });
  });
  it('is not seen in an idle server, nor in one that does not tell', () => {
    const before = { progress: '[1]', sinceMs: 0 };
    expect(watchForHang(before, { ...busy('[1]'), running: 0 }, 9_000)).toBeNull();
    expect(watchForHang(before, busy(null), 9_000)).toBeNull();
    expect(watchForHang(before, { ...busy('[1]'), running: null, waiting: null }, 9_000)).toBeNull();
  });
});
