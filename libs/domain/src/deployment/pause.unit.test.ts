import { beforeEach, describe, expect, it } from '@jest/globals';
import { auditLog } from '../laws/audit/index.js';
import { pausedDeploymentsRest } from '../laws/audit/paused-deployments-rest.js';
import { Fleet, INTENT, KEY } from '../testing/fleet.js';
import { waitOf } from '../wait/wait-of.js';
import { pause, resume } from './pause.js';

const FIRST = `${KEY}-1-0-1`;
const SECOND = `${KEY}-1-1-1`;
const OTHER = 'Qwen/Qwen3-14B';

describe('a paused deployment', () => {
  let fleet: Fleet;
  beforeEach(() => {
    fleet = new Fleet().declare({ replicas: 2 }).settle().bringUp(FIRST).bringUp(SECOND);
  });
  const progressing = () => fleet.deployment(KEY).conditions['Progressing'];
  const broken = () => {
    const log = auditLog({}, [pausedDeploymentsRest]);
    return fleet.events.flatMap((event) => log.see(event)).map(({ message }) => message);
  };

  it('says so, why and since when, with what ends it', () => {
    expect(fleet.pause('the nodes are looked at')).toMatchObject({ outcome: 'accepted', changed: true });
    fleet.settle();
    const since = new Date(fleet.nowMs).toISOString();
    expect(fleet.deployment(KEY).paused).toEqual({ since, reason: 'the nodes are looked at', actor: null });
    expect(progressing()).toMatchObject({ status: 'false', reason: 'Paused' });
    expect(progressing()?.message).toMatch(
      /the nodes are looked at.*2 of 2 replicas serve.*davit resume default\/qwen/,
    );
  });

  it('keeps an ill replica, which waits with that reason, and replaces it once it is resumed', () => {
    fleet.pause();
    fleet.later(1_000).die(FIRST);
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready', '1-1-1': 'ready' });
    expect(fleet.targets()).toEqual(['1-1-1']);
    const deployment = fleet.deployment(KEY);
    expect(waitOf(fleet.replica(FIRST), { deployment })).toMatchObject({ reason: 'paused', deadline: null });
    expect(waitOf(fleet.replica(SECOND), { deployment })).toBeNull();
    fleet.resume();
    fleet.settle();
    expect(fleet.statuses()).toMatchObject({ '1-0-1': 'deleting', '1-0-2': 'requested' });
    expect(progressing()).toMatchObject({ reason: 'Converging' });
    expect(broken()).toEqual([]);
  });

  it('starts nothing and ends nothing for another number of replicas, which is taken up once it is resumed', () => {
    fleet.pause();
    fleet.scale(3);
    expect(fleet.settle().statuses()).toEqual({ '1-0-1': 'ready', '1-1-1': 'ready' });
    fleet.scale(1);
    expect(fleet.settle().statuses()).toEqual({ '1-0-1': 'ready', '1-1-1': 'ready' });
    fleet.resume();
    expect(fleet.settle().statuses()).toMatchObject({ '1-1-1': 'draining' });
  });

  it('lets a new revision wait, and rolls it out once it is resumed', () => {
    fleet.pause();
    fleet.declare({ replicas: 2, model: OTHER }).settle();
    expect(fleet.deployment(KEY)).toMatchObject({ revision: 2, activeRevision: 1 });
    expect(progressing()?.message).toContain('revision 2 waits to take over');
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready', '1-1-1': 'ready' });
    fleet.resume();
    expect(fleet.settle().statuses()).toMatchObject({ '2-0-1': 'requested', '2-1-1': 'requested' });
    expect(broken()).toEqual([]);
  });

  it('launches nothing that was asked for before the pause, and what starts already may end its start', () => {
    fleet.scale(4);
    fleet.settle().launch(`${KEY}-1-2-1`);
    fleet.pause();
    fleet
      .advise(`${KEY}-1-3-1`, () => undefined)
      .later(60_000)
      .settle();
    expect(fleet.statuses()).toMatchObject({ '1-2-1': 'launching', '1-3-1': 'requested' });
    expect(waitOf(fleet.replica(`${KEY}-1-3-1`), { deployment: fleet.deployment(KEY) })?.reason).toBe('paused');
    fleet.later(24 * 3_600_000).settle();
    expect(fleet.statuses()).toMatchObject({ '1-2-1': 'deleting', '1-3-1': 'requested' });
    fleet.resume();
    expect(fleet.settle().statuses()).toMatchObject({ '1-3-1': 'launching' });
    expect(broken()).toEqual([]);
  });

  it('ends a drain that was under way: what is drained serves nobody and bills', () => {
    fleet.scale(1);
    fleet.settle();
    fleet.pause();
    fleet.later(10_000).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready', '1-1-1': 'deleting' });
    expect(broken()).toEqual([]);
  });

  it('is deleted like any other, and a life after that is not paused', () => {
    fleet.pause();
    fleet.remove().settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'draining', '1-1-1': 'draining' });
    fleet.declare({ replicas: 2 }).settle();
    expect(fleet.deployment(KEY).paused).toBeUndefined();
    expect(broken()).toEqual([]);
  });

  it('is paused and resumed only once, and only while it is there to stay', () => {
    fleet.pause('first');
    expect(fleet.pause('second')).toMatchObject({ outcome: 'accepted', changed: false });
    expect(fleet.deployment(KEY).paused?.reason).toBe('first');
    fleet.resume();
    expect(fleet.resume()).toMatchObject({ outcome: 'accepted', changed: false });
    fleet.remove();
    expect(fleet.pause()).toMatchObject({ outcome: 'refused', code: 'being-deleted' });
    expect(fleet.resume()).toMatchObject({ outcome: 'refused', code: 'being-deleted' });
    expect(pause(undefined, 'x', INTENT)).toMatchObject({ code: 'not-found' });
    expect(resume(undefined, INTENT)).toMatchObject({ code: 'not-found' });
  });

  it('that something is started in by a decision that knew of it breaks the rule of the audit', () => {
    fleet.pause();
    expect(broken()).toEqual([]);
    fleet.given(`replica/${FIRST}`, 'davit.replica.drain-requested', {
      replicaId: FIRST,
      reason: 'x',
      deadlineAt: new Date(fleet.nowMs + 1_000).toISOString(),
    });
    expect(broken()).toEqual(['was to be drained while its deployment was paused']);
  });
});
