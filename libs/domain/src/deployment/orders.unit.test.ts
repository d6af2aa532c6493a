import { beforeEach, describe, expect, it } from '@jest/globals';
import { stream } from '@davit/contracts';
import { Fleet, INTENT, KEY } from '../testing/fleet.js';
import { exampleDeployment } from '../testing/history.js';
import { templateDigestOf } from './declare.js';
import { cancelRollout, requestRetry } from './orders.js';

const OTHER = 'Qwen/Qwen3-14B';

describe('going back', () => {
  let fleet: Fleet;
  beforeEach(() => {
    fleet = new Fleet().declare({ replicas: 2 }).settle().bringUp(`${KEY}-1-0-1`).bringUp(`${KEY}-1-1-1`);
  });

  it('costs nothing while the revision still serves: it keeps its number and its replicas, and the candidate goes', () => {
    fleet.declare({ replicas: 2, model: OTHER }).settle();
    expect(fleet.statuses()).toMatchObject({ '1-0-1': 'ready', '2-0-1': 'requested', '2-1-1': 'requested' });
    fleet.declare({ replicas: 2 }).settle();
    expect(fleet.deployment(KEY)).toMatchObject({ revision: 1, activeRevision: 1, generation: 3 });
    expect(fleet.statuses()).toEqual({
      ...{ '1-0-1': 'ready', '1-1-1': 'ready' },
      ...{ '2-0-1': 'deleting', '2-1-1': 'deleting' },
    });
    expect(fleet.targets()).toEqual(['1-0-1', '1-1-1']);
  });

  it('law-06: never gives a revision number to two templates, and no incarnation twice', () => {
    fleet.declare({ replicas: 2, model: OTHER }).settle().declare({ replicas: 2 }).settle();
    fleet.declare({ replicas: 2, model: 'a/third' }).settle();
    expect(fleet.deployment(KEY).revision).toBe(3);
    fleet.declare({ replicas: 2 }).settle().die(`${KEY}-1-0-1`);
    expect(fleet.statuses()).toMatchObject({ '1-0-1': 'deleting', '1-0-2': 'requested' });
    fleet.declare({ replicas: 2, model: OTHER }).settle();
    expect(fleet.deployment(KEY).revision).toBe(4);
  });

  it('to an earlier revision that no longer serves is a new revision like any other', () => {
    fleet.declare({ replicas: 2, model: OTHER }).settle().bringUp(`${KEY}-2-0-1`).bringUp(`${KEY}-2-1-1`);
    expect(fleet.deployment(KEY).activeRevision).toBe(2);
    fleet.declare({ replicas: 2 }).settle();
    expect(fleet.deployment(KEY)).toMatchObject({ revision: 3, activeRevision: 2 });
  });

  it('lets the newest wish supersede a rollout: the old candidate goes, what serves stays', () => {
    fleet.declare({ replicas: 2, model: OTHER }).settle().declare({ replicas: 2, model: 'a/third' }).settle();
    expect(fleet.statuses()).toMatchObject({
      ...{ '1-0-1': 'ready', '1-1-1': 'ready', '2-0-1': 'deleting', '2-1-1': 'deleting' },
      ...{ '3-0-1': 'requested', '3-1-1': 'requested' },
    });
  });

  it('in the middle of a replacement in place, one machine after the other comes back', () => {
    fleet.declare({ replicas: 2, model: OTHER, strategy: 'in-place' }).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'draining', '1-1-1': 'ready' });
    fleet.later(10_000).settle().proveGone(`${KEY}-1-0-1`).bringUp(`${KEY}-2-0-1`);
    expect(fleet.statuses()).toMatchObject({ '2-0-1': 'ready', '1-1-1': 'draining' });
    fleet.cancel();
    fleet.settle();
    expect(fleet.statuses()).toEqual({ '2-0-1': 'ready', '1-1-1': 'draining' });
    fleet.later(10_000).settle().proveGone(`${KEY}-1-1-1`);
    expect(fleet.statuses()).toEqual({ '2-0-1': 'ready', '1-0-2': 'requested' });
    fleet.bringUp(`${KEY}-1-0-2`);
    expect(fleet.statuses()).toEqual({ '2-0-1': 'draining', '1-0-2': 'ready' });
    fleet.later(10_000).settle().proveGone(`${KEY}-2-0-1`).bringUp(`${KEY}-1-1-2`);
    expect(fleet.statuses()).toEqual({ '1-0-2': 'ready', '1-1-2': 'ready' });
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({ reason: 'Converged' });
  });

  it('does not make a new revision of a size that only tells how long to wait', () => {
    const plain = exampleDeployment();
    const sized = { ...plain, spec: { ...plain.spec, model: { ...plain.spec.model, sizeGiB: 16 } } };
    expect(templateDigestOf(sized)).toBe(templateDigestOf(plain));
  });
});

describe('cancelling a rollout', () => {
  it('goes back to what the active revision is made of, with the scaling declared since', () => {
    const fleet = new Fleet()
      .declare()
      .settle()
      .bringUp(`${KEY}-1-0-1`)
      .declare({ model: OTHER, replicas: 2 })
      .settle();
    expect(fleet.cancel()).toMatchObject({ outcome: 'accepted', revision: 1, changed: true });
    const { spec, revision } = fleet.settle().deployment(KEY);
    expect([revision, spec.spec.model.id, spec.spec.scaling.replicas]).toEqual([1, 'Qwen/Qwen3-8B', 2]);
    expect(fleet.statuses()).toMatchObject({ '1-0-1': 'ready', '1-1-1': 'requested', '2-0-1': 'deleting' });
  });

  it('is refused, with why, where there is nothing to cancel', () => {
    const fleet = new Fleet().declare().settle();
    expect(fleet.cancel()).toMatchObject({ outcome: 'refused', code: 'never-active' });
    fleet.bringUp(`${KEY}-1-0-1`);
    expect(fleet.cancel()).toMatchObject({ outcome: 'refused', code: 'nothing-under-way' });
    fleet.declare({ model: OTHER }).remove();
    expect(fleet.cancel()).toMatchObject({ outcome: 'refused', code: 'being-deleted' });
    expect(cancelRollout(undefined, INTENT)).toMatchObject({ outcome: 'refused', code: 'not-found' });
  });

  it('asks for no more direct targets than the active revision names', () => {
    const fleet = new Fleet().declare({ mode: 'direct', replicas: 1 }).settle().bringUp(`${KEY}-1-0-1`);
    fleet.declare({ mode: 'direct', replicas: 2 });
    fleet.cancel();
    expect(fleet.deployment(KEY).spec.spec.scaling.replicas).toBe(1);
  });
});

describe('asking to try again', () => {
  it('is refused, with why, where nothing waits after a failed start', () => {
    const fleet = new Fleet().declare().settle();
    expect(fleet.retry()).toMatchObject({ outcome: 'refused', code: 'nothing-to-retry' });
    fleet.remove();
    expect(fleet.retry()).toMatchObject({ outcome: 'refused', code: 'being-deleted' });
    expect(requestRetry(undefined, INTENT)).toMatchObject({ outcome: 'refused', code: 'not-found' });
  });

  it('ends a back-off at once', () => {
    const fleet = new Fleet().declare().settle().launch(`${KEY}-1-0-1`).observe(`${KEY}-1-0-1`, 'failed').settle();
    fleet.proveGone(`${KEY}-1-0-1`);
    expect(fleet.statuses()).toEqual({});
    expect(fleet.retry()).toMatchObject({ outcome: 'accepted' });
    expect(fleet.settle().statuses()).toEqual({ '1-0-2': 'requested' });
    expect(fleet.events.filter(({ stream: name }) => name === stream.deployment(KEY)).length).toBeGreaterThan(2);
  });
});
