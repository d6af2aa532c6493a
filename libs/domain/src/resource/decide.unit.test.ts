import { describe, expect, test } from '@jest/globals';
import type { ReplicaState } from '../lifecycle/state.js';
import { DEFAULT_RESOURCE_TIMINGS, mayBeInvisible, nextResourceStep } from './decide.js';

const T0 = Date.UTC(2026, 0, 1);
const iso = (ms: number): string => new Date(T0 + ms).toISOString();
const { absenceSpacingMs, deleteRetryMs, launchMs, visibilityMs } = DEFAULT_RESOURCE_TIMINGS;

/** A replica whose deletion was accepted at the start of the hour. */
const deleting = (absence: Partial<ReplicaState['absence']>): ReplicaState =>
  ({
    status: 'deleting',
    deletion: { attempt: 1, outcome: 'accepted', since: iso(0), class: null, detail: '' },
    absence: { observedAt: [], confirmedAt: null, released: false, ...absence },
  }) as unknown as ReplicaState; // only what the decision reads

const step = (replica: ReplicaState, atMs: number): unknown => nextResourceStep(replica, T0 + atMs);

describe('a deletion that was asked for', () => {
  test('is looked after, and asked for again when nothing has come of it', () => {
    expect(step(deleting({}), 1_000)).toMatchObject({ do: 'look-for-absence', confirm: false });
    expect(step(deleting({}), deleteRetryMs)).toEqual({ do: 'delete', attempt: 2 });
  });

  test('is not asked for again while its absence is being proven', () => {
    const seenGone = deleting({ observedAt: [iso(deleteRetryMs)] });
    expect(step(seenGone, deleteRetryMs + 1_000)).toMatchObject({ do: 'wait' });
    expect(step(seenGone, deleteRetryMs + absenceSpacingMs)).toMatchObject({ do: 'look-for-absence', confirm: true });
  });

  test('is asked for again at once when the thing came back after it had been gone', () => {
    expect(step(deleting({ reappearedAt: iso(5_000) }), 5_000)).toEqual({ do: 'delete', attempt: 2 });
  });

  test('is not asked for again for a return that it came after', () => {
    expect(step(deleting({ reappearedAt: iso(-1) }), 5_000)).toMatchObject({ do: 'look-for-absence' });
  });
});

describe('a launch of which nothing is to be seen', () => {
  const launched = (outcome: 'attempted' | 'unknown'): ReplicaState =>
    ({ status: 'launching', launch: { attempt: 1, outcome, since: iso(0) } }) as unknown as ReplicaState;

  test('is given up once the provider would have shown it', () => {
    expect(step(launched('unknown'), visibilityMs - 1)).toMatchObject({ giveUp: false });
    expect(step(launched('unknown'), visibilityMs)).toMatchObject({ giveUp: true });
  });

  test('is given up later when its caller died, because the program it ran may still carry it out', () => {
    expect(step(launched('attempted'), launchMs)).toMatchObject({ giveUp: false });
    expect(mayBeInvisible(launched('attempted'), T0 + launchMs)).toBe(true);
    expect(step(launched('attempted'), launchMs + visibilityMs)).toMatchObject({ giveUp: true });
  });
});
