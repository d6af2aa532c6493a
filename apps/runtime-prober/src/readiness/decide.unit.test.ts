import type { UnreadyReason } from '@davit/contracts';
import { type ReplicaState, type RuntimeView } from '@davit/domain';
import { describe, expect, it } from '@jest/globals';
import { type ReadinessMemory, decideReadiness } from './decide.js';
import { freshMemory } from './memory.js';

const url = 'http://10.0.0.1:8000';
const since = '2026-01-01T00:00:00.000Z';

/** Probes a server that is still to become ready until something is told of it, five times at most. */
function told(known: UnreadyReason | null, seen: UnreadyReason): string | undefined {
  const runtime: RuntimeView = { status: 'unready', url, servedModel: null, reason: known, detail: '', since };
  // Only these are read.
  const replica = {
    id: 'default/qwen-1-0-1',
    status: 'launching',
    everReady: false,
    runtime,
  } as unknown as ReplicaState;
  let memory: ReadinessMemory = freshMemory(url, false);
  for (let probe = 1; probe <= 5; probe++) {
    const result = { outcome: 'unready', reason: seen, detail: 'x', slow: seen === 'timeout', signals: [] } as const;
    const around = { progressed: false, held: false, nowMs: probe * 1_000, healthDeadlineMs: 90_000 };
    const decided = decideReadiness(replica, memory, { url, result, ...around });
    if (decided.event) return decided.event.type;
    memory = decided.memory;
  }
  return undefined;
}

describe('what is told of a model server that is still to become ready', () => {
  it('is that it loads, once: progress that moves the deadline of the start', () => {
    expect(told(null, 'loading')).toBe('davit.runtime.became-unready');
    expect(told('loading', 'loading')).toBeUndefined();
  });
  it('is that it no longer loads, whatever it does instead', () => {
    expect(told('loading', 'refused')).toBe('davit.runtime.became-unready');
    expect(told('loading', 'timeout')).toBe('davit.runtime.became-unready');
  });
  it('is not that nobody listens yet: waiting is no failure', () => {
    expect(told(null, 'refused')).toBeUndefined();
  });
});

/** Probes a server that has served, once a second for a minute and a half, until it is told to be unready; milliseconds. */
function unreadyAfterMs(mode: ReplicaState['mode'], seen: UnreadyReason): number | undefined {
  const runtime: RuntimeView = { status: 'ready', url, servedModel: 'qwen', reason: null, detail: '', since };
  // Only these are read.
  const replica = {
    ...{ id: 'default/qwen-1-0-1', mode, status: 'ready' },
    ...{ everReady: true, runtime },
  } as unknown as ReplicaState;
  let memory: ReadinessMemory = freshMemory(url, true);
  for (let nowMs = 0; nowMs <= 90_000; nowMs += 1_000) {
    const result = { outcome: 'unready', reason: seen, detail: 'x', slow: false, signals: [] } as const;
    const around = { progressed: false, held: false, nowMs, healthDeadlineMs: 60_000 };
    const decided = decideReadiness(replica, memory, { url, result, ...around });
    if (decided.event) return nowMs;
    memory = decided.memory;
  }
  return undefined;
}

describe('an endpoint whose workers sleep by its own policy', () => {
  it('has until the health deadline to wake one, since the probe asked for that', () => {
    expect(unreadyAfterMs('serverless', 'warming')).toBe(60_000);
  });
  it('is told to be unready as soon as any other server where it says anything else', () => {
    expect(unreadyAfterMs('serverless', 'unhealthy')).toBe(unreadyAfterMs('direct', 'unhealthy'));
    expect(unreadyAfterMs('elastic', 'warming')).toBeLessThan(10_000);
  });
});
