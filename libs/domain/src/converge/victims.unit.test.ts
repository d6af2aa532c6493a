import { describe, expect, it } from '@jest/globals';
import { stream } from '@davit/contracts';
import { Fleet, KEY } from '../testing/fleet.js';

/** Three replicas that became ready one after the other. */
function three(): Fleet {
  const fleet = new Fleet().declare({ replicas: 3 }).settle();
  for (const ordinal of [0, 1, 2]) fleet.later(1_000).bringUp(`${KEY}-1-${ordinal}-1`);
  return fleet;
}
const load = (fleet: Fleet, ordinal: number, running: number | null): void => {
  const replicaId = `${KEY}-1-${ordinal}-1`;
  const summary = { replicaId, running, waiting: null, kvCacheUsage: null };
  fleet.given(stream.runtime(replicaId), 'davit.runtime.load-summarised', summary);
};
const draining = (fleet: Fleet): string[] =>
  Object.entries(fleet.statuses()).flatMap(([id, status]) => (status === 'draining' ? [id] : []));

describe('who goes when fewer are wanted', () => {
  it('is the one known to run the fewest requests, and what it ran is written down', () => {
    const fleet = three();
    [0, 4, 7].forEach((running, ordinal) => load(fleet, ordinal, running));
    fleet.declare({ replicas: 2 }).settle();
    expect(draining(fleet)).toEqual(['1-0-1']);
    expect(fleet.replica(`${KEY}-1-0-1`).reason).toMatch(/^scaled down to 2: it ran 0 requests at 2026-/);
  });

  it('law-04: is not the one whose load is unknown while another is known', () => {
    const fleet = three();
    [9, 4, null].forEach((running, ordinal) => load(fleet, ordinal, running));
    fleet.declare({ replicas: 2 }).settle();
    expect(draining(fleet)).toEqual(['1-1-1']);
  });

  it('is the youngest among equals, and what serves nothing before all', () => {
    const fleet = three();
    fleet.declare({ replicas: 2 }).settle();
    expect(draining(fleet)).toEqual(['1-2-1']);
    const starting = new Fleet().declare({ replicas: 3 }).settle().bringUp(`${KEY}-1-2-1`);
    starting.declare({ replicas: 1 }).settle();
    expect(starting.statuses()).toEqual({ '1-0-1': 'deleting', '1-1-1': 'deleting', '1-2-1': 'ready' });
  });

  it('is chosen once: the others stay, and a later replica takes the lowest free place under a new name', () => {
    const fleet = three();
    load(fleet, 0, 0);
    fleet.declare({ replicas: 2 }).settle().later(60_000).settle().proveGone(`${KEY}-1-0-1`);
    expect(fleet.statuses()).toEqual({ '1-1-1': 'ready', '1-2-1': 'ready' });
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({ reason: 'Converged' });
    fleet.declare({ replicas: 3 }).settle();
    expect(fleet.statuses()).toEqual({ '1-0-2': 'requested', '1-1-1': 'ready', '1-2-1': 'ready' });
  });
});
