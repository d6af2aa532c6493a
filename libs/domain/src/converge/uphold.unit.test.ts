import { beforeEach, describe, expect, it } from '@jest/globals';
import { Fleet, KEY } from '../testing/fleet.js';

const OTHER = 'Qwen/Qwen3-14B';

describe('while a rollout is under way', () => {
  let fleet: Fleet;
  beforeEach(() => {
    fleet = new Fleet().declare({ replicas: 2 }).settle().bringUp(`${KEY}-1-0-1`).bringUp(`${KEY}-1-1-1`);
    fleet.later(3_600_000).declare({ replicas: 2, model: OTHER }).settle();
  });

  it('what serves is healed: a candidate that finds no machine takes nobody down with it', () => {
    fleet.die(`${KEY}-1-0-1`).proveGone(`${KEY}-1-0-1`);
    expect(fleet.statuses()).toEqual({
      ...{ '1-0-2': 'requested', '1-1-1': 'ready' },
      ...{ '2-0-1': 'requested', '2-1-1': 'requested' },
    });
    fleet.bringUp(`${KEY}-1-0-2`);
    expect(fleet.targets()).toEqual(['1-0-2', '1-1-1']);
  });

  it('no machine is rented for what the new revision serves already, and none is left once it has taken over', () => {
    fleet.bringUp(`${KEY}-2-0-1`).die(`${KEY}-1-0-1`);
    expect(fleet.statuses()).not.toHaveProperty('1-0-2');
    fleet.die(`${KEY}-1-1-1`);
    expect(fleet.statuses()).toMatchObject({ '1-0-2': 'requested', '2-0-1': 'ready' });
    fleet.bringUp(`${KEY}-2-1-1`);
    expect(fleet.statuses()).toMatchObject({ '1-0-2': 'deleting', '2-0-1': 'ready', '2-1-1': 'ready' });
  });

  it('the old revision never grows: more replicas are for the new one to bring', () => {
    fleet.declare({ replicas: 4, model: OTHER }).settle();
    expect(Object.keys(fleet.statuses()).filter((name) => name.startsWith('1-'))).toEqual(['1-0-1', '1-1-1']);
    fleet.declare({ replicas: 1, model: OTHER }).settle().die(`${KEY}-1-0-1`);
    expect(fleet.statuses()).not.toHaveProperty('1-0-2');
  });

  it('paid starts of the old revision are counted and end as any others, and a retry begins them anew', () => {
    fleet.die(`${KEY}-1-0-1`).proveGone(`${KEY}-1-0-1`);
    for (let life = 2; life <= 6; life++) {
      const id = `${KEY}-1-0-${life}`;
      fleet.launch(id).observe(id, 'failed').settle().proveGone(id).later(3_600_000).settle();
    }
    expect(fleet.statuses()).not.toHaveProperty('1-0-7');
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({
      reason: 'Converging',
      message: expect.stringMatching(/of revision 1, replica 0 failed to start 5 times in a row/),
    });
    expect(fleet.retry()).toMatchObject({ outcome: 'accepted' });
    expect(fleet.settle().statuses()).toMatchObject({ '1-0-7': 'requested' });
  });

  it('a replacement in place gives the new revision each machine that becomes free', () => {
    fleet.declare({ replicas: 2, model: 'a/third', strategy: 'in-place' }).settle().die(`${KEY}-1-1-1`);
    expect(fleet.statuses()).not.toHaveProperty('1-1-2');
  });

  it('a deployment that is being deleted and declared anew rents nothing for the revision that went', () => {
    fleet.remove().settle().declare({ replicas: 2, model: 'a/third' }).settle();
    expect(fleet.deployment(KEY)).toMatchObject({ revision: 3, activeRevision: null });
    const requested = Object.entries(fleet.statuses()).filter(([, status]) => status === 'requested');
    expect(requested.map(([name]) => name)).toEqual(['3-0-1', '3-1-1']);
  });
});
