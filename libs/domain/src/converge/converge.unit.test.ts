import { beforeEach, describe, expect, it } from '@jest/globals';
import { type NewEvent, stream } from '@davit/contracts';
import { decideReplica } from '../replica/decide.js';
import { Fleet, KEY } from '../testing/fleet.js';
import { exampleDeployment } from '../testing/history.js';
import { decideDeployment } from './decide.js';

/** An advisor's word that a rung has no stock. */
function assessment({ nowMs }: Fleet, replicaId: string, attempt: number, rung: number, permanent: boolean) {
  const observedAt = new Date(nowMs).toISOString();
  const { compute } = exampleDeployment().spec;
  const placement = compute.mode === 'elastic' ? compute.placements[rung] : undefined;
  if (!placement) throw new Error('no such rung');
  const signal = {
    ...({ state: 'unavailable', source: 'runpod-v2', scope: 'global', level: 'NONE', price: null } as const),
    ...{ observedAt, expiresAt: new Date(nowMs + 60_000).toISOString(), detail: 'no stock', permanent },
  };
  return { replicaId, attempt, rung, placement, signal };
}

describe('converging a deployment', () => {
  let fleet: Fleet;
  beforeEach(() => {
    fleet = new Fleet();
  });

  it('asks for all missing replicas at once', () => {
    fleet.declare({ replicas: 3 }).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'requested', '1-1-1': 'requested', '1-2-1': 'requested' });
  });

  it('gives a route only to what is proven ready, and activates the revision when all have one', () => {
    fleet.declare({ replicas: 2 }).settle().bringUp(`${KEY}-1-0-1`);
    expect(fleet.targets()).toEqual(['1-0-1']);
    expect(fleet.deployment(KEY).activeRevision).toBeNull();
    fleet.bringUp(`${KEY}-1-1-1`);
    expect(fleet.deployment(KEY)).toMatchObject({
      activeRevision: 1,
      conditions: { Progressing: { reason: 'Converged' } },
    });
  });

  it('replaces a dead replica by a new incarnation at once, and lets nothing bill in "failed"', () => {
    fleet.declare().settle().bringUp(`${KEY}-1-0-1`).die(`${KEY}-1-0-1`);
    expect(fleet.targets()).toEqual([]);
    expect(fleet.statuses()).toEqual({ '1-0-1': 'deleting', '1-0-2': 'requested' });
    fleet.bringUp(`${KEY}-1-0-2`).proveGone(`${KEY}-1-0-1`);
    expect(fleet.statuses()).toEqual({ '1-0-2': 'ready' });
  });

  it('proves a failed start gone, and waits, before it pays for the next', () => {
    const first = `${KEY}-1-0-1`;
    fleet.declare().settle();
    const { externalKey } = fleet.replica(first);
    const owner = { externalKey, replicaId: first, adapter: 'skypilot' };
    fleet
      .given(stream.resource(externalKey), 'davit.resource.discovered', {
        ...owner,
        attempt: 1,
        outcome: 'present',
        detail: '',
      })
      .settle();
    fleet
      .given(stream.resource(externalKey), 'davit.resource.launch-refused', {
        ...owner,
        attempt: 1,
        class: 'capacity',
        detail: 'no stock',
      })
      .settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'deleting' });
    fleet.later(60_000).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'deleting' });
    fleet.proveGone(first);
    expect(fleet.statuses()).toEqual({ '1-0-2': 'requested' });
  });

  /** The first replica's launch is refused, and it is proven gone. */
  function refuse(id: string, errorClass: 'capacity' | 'config', placed: boolean): Fleet {
    const { externalKey } = fleet.replica(id);
    const owner = { externalKey, replicaId: id, adapter: 'skypilot' };
    const outcome = placed ? 'absent' : 'present';
    const name = stream.resource(externalKey);
    fleet.given(name, 'davit.resource.discovered', { ...owner, attempt: 1, outcome, detail: '' });
    fleet.later(60_000).settle();
    fleet.given(name, 'davit.resource.launch-refused', { ...owner, attempt: 1, class: errorClass, detail: 'why' });
    return fleet.settle().proveGone(id);
  }

  it('law-09: counts a rung without stock as no failed start, and tries the next rung at once', () => {
    refuse(fleet.declare().settle().replicasOf(KEY)[0]?.id ?? '', 'capacity', true);
    expect(fleet.deployment(KEY).failedStarts).toEqual({});
    expect(fleet.statuses()).toEqual({ '1-0-2': 'requested' });
  });

  it('law-09: says why a failed start is not tried again yet, how often it failed, and until when', () => {
    refuse(fleet.declare().settle().replicasOf(KEY)[0]?.id ?? '', 'config', true);
    expect(fleet.statuses()).toEqual({});
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({
      reason: 'BackingOff',
      message: expect.stringMatching(
        /replica 0 failed to start 1 times in a row, next try at 2026-\S+ \(launch refused: why\)/,
      ),
    });
    fleet.later(3_700).settle();
    expect(fleet.statuses()).toEqual({});
    fleet.later(2_600).settle();
    expect(fleet.statuses()).toEqual({ '1-0-2': 'requested' });
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({ reason: 'Converging' });
  });

  it('pays for no third life of a slot while two are not proven gone', () => {
    const [first, second] = [`${KEY}-1-0-1`, `${KEY}-1-0-2`];
    fleet.declare().settle().bringUp(first).die(first).bringUp(second).die(second);
    expect(fleet.statuses()).toEqual({ '1-0-1': 'deleting', '1-0-2': 'deleting' });
    expect(fleet.deployment(KEY).conditions['Progressing']?.message).toContain(`waits until ${first} or ${second}`);
    fleet.later(6_300).proveGone(first);
    expect(fleet.statuses()).toEqual({ '1-0-2': 'deleting', '1-0-3': 'requested' });
  });

  it('law-11: calls nothing drained that may get a route yet, until a reading since then says that it is idle', () => {
    const id = `${KEY}-1-0-1`;
    fleet.declare().settle().bringUp(id);
    // As the log stands when the route has not been written yet.
    const early = new Fleet(fleet.nowMs);
    const isRoute = ({ type }: { type: string }) =>
      type.startsWith('davit.route.') || type.includes('condition') || type.includes('activated');
    for (const { stream: name, type, data } of fleet.events.filter((event) => !isRoute(event))) {
      early.append(name, { type, data } as NewEvent);
    }
    const load = { replicaId: id, waiting: 0, kvCacheUsage: null };
    early.given(stream.runtime(id), 'davit.runtime.load-summarised', { ...load, running: 0 });
    early.remove();
    early.apply(decideDeployment(early.deployment(KEY), early.replicasOf(KEY), early.nowMs, 'test').writes);
    const decide = () => decideReplica(early.replica(id), early.deployment(KEY), early.nowMs);
    expect(decide()).toEqual({ writes: [], wakeAtMs: early.nowMs + 10_000 });
    early.given(stream.runtime(id), 'davit.runtime.load-summarised', { ...load, running: 0 });
    expect(decide().writes[0]?.events[0]).toMatchObject({ type: 'davit.replica.drained', data: { outcome: 'idle' } });
  });

  it('waits for the requests of a drained replica until the deadline of the specification, and writes down how many were cut', () => {
    const id = `${KEY}-1-0-1`;
    fleet.declare().settle().bringUp(id);
    fleet.remove().settle();
    const load = { replicaId: id, waiting: 0, kvCacheUsage: null };
    fleet.given(stream.runtime(id), 'davit.runtime.load-summarised', { ...load, running: 3 }).settle();
    const deadlineMs = Date.parse(fleet.replica(id).drain?.deadlineAt ?? '');
    fleet.later(deadlineMs - fleet.nowMs - 1).settle();
    expect(fleet.replica(id).status).toBe('draining');
    fleet.later(1).settle();
    const drained = fleet.events.find(({ type }) => type === 'davit.replica.drained');
    expect(drained?.data).toMatchObject({ outcome: 'deadline', cutRequests: 3 });
  });

  it('looks for stock less and less often and not before an answer has ended, tells the wait as one, and says when waiting cannot help', () => {
    const id = `${KEY}-1-0-1`;
    fleet.declare().settle();
    const { externalKey } = fleet.replica(id);
    const owner = { externalKey, replicaId: id, adapter: 'skypilot' };
    const startedAt = new Date(fleet.nowMs).toISOString();
    const look = (attempt: number, permanent: boolean): number => {
      const found = { ...owner, attempt, outcome: 'absent', detail: '' } as const;
      fleet.given(stream.resource(externalKey), 'davit.resource.discovered', found);
      for (const rung of [0, 1])
        fleet.given('capacity/x', 'davit.capacity.assessed', assessment(fleet, id, attempt, rung, permanent));
      fleet.settle();
      return Date.parse(fleet.replica(id).retryAt ?? '') - fleet.nowMs;
    };
    const waits = [1, 2, 3, 4, 5].map((attempt) => {
      const waitMs = look(attempt, attempt === 5);
      expect(fleet.replica(id)).toMatchObject({ status: 'deferred', waitsSince: startedAt });
      expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({ reason: 'WaitingForCapacity' });
      fleet.later(waitMs).settle();
      expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({ reason: 'WaitingForCapacity' });
      return waitMs / 1_000;
    });
    // The answers hold for a minute, and those who wait for their end do not all come back at it.
    const [first, ...rest] = waits;
    expect(first).toBeGreaterThanOrEqual(60);
    expect(first).toBeLessThan(66);
    expect(rest).toEqual([60, 120, 240, 240]);
    const deferred = fleet.events.filter(({ type }) => type === 'davit.replica.deferred').at(-1);
    expect(deferred?.data).toMatchObject({ reason: expect.stringMatching(/^waiting will not help/) });
  });

  it('tells of a deletion under way in its conditions, and deletes what was quarantined, too', () => {
    fleet.declare({ replicas: 2 }).settle();
    const id = `${KEY}-1-0-1`;
    fleet
      .given(stream.replica(id), 'davit.replica.quarantined', { replicaId: id, reason: 'x', detail: 'y' })
      .remove()
      .settle();
    expect(fleet.statuses()).toMatchObject({ '1-0-1': 'deleting', '1-1-1': 'deleting' });
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({
      reason: 'Deleting',
      message: expect.stringContaining('not yet proven gone'),
    });
  });

  it('keeps the old revision serving until the new one has routes for all replicas', () => {
    fleet.declare({ replicas: 2 }).settle().bringUp(`${KEY}-1-0-1`).bringUp(`${KEY}-1-1-1`);
    fleet.declare({ replicas: 2, model: 'Qwen/Qwen3-14B' }).settle().bringUp(`${KEY}-2-0-1`);
    expect(fleet.targets()).toEqual(['1-0-1', '1-1-1', '2-0-1']);
    fleet.bringUp(`${KEY}-2-1-1`);
    expect(fleet.targets()).toEqual(['2-0-1', '2-1-1']);
    expect(fleet.deployment(KEY).activeRevision).toBe(2);
    expect(fleet.statuses()).toMatchObject({ '1-0-1': 'draining', '1-1-1': 'draining' });
    fleet.later(10_000).settle();
    expect(fleet.statuses()).toMatchObject({ '1-0-1': 'deleting', '1-1-1': 'deleting' });
  });

  it('empties an ordinal before it fills it when there is no spare capacity', () => {
    fleet.declare({ replicas: 2, strategy: 'in-place' }).settle().bringUp(`${KEY}-1-0-1`).bringUp(`${KEY}-1-1-1`);
    fleet.declare({ replicas: 2, strategy: 'in-place', model: 'Qwen/Qwen3-14B' }).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'draining', '1-1-1': 'ready' });
    fleet.later(10_000).settle().proveGone(`${KEY}-1-0-1`);
    expect(fleet.statuses()).toEqual({ '1-1-1': 'ready', '2-0-1': 'requested' });
    fleet.bringUp(`${KEY}-2-0-1`);
    expect(fleet.statuses()).toMatchObject({ '1-1-1': 'draining', '2-0-1': 'ready' });
  });

  it('never uses an identity twice, whatever is scaled up and down', () => {
    for (const replicas of [1, 2, 1, 2, 1]) {
      fleet.declare({ replicas }).settle();
      for (const { id, status } of fleet.replicasOf(KEY)) if (status === 'requested') fleet.bringUp(id);
      fleet.later(10_000).settle();
      for (const { id, status } of fleet.replicasOf(KEY)) if (status === 'deleting') fleet.proveGone(id);
    }
    const requested = fleet.events
      .filter(({ type }) => type === 'davit.replica.requested')
      .map(({ stream: name }) => name);
    expect(requested).toEqual([`replica/${KEY}-1-0-1`, `replica/${KEY}-1-1-1`, `replica/${KEY}-1-1-2`]);
  });

  it('deletes what serves by draining it, what does not at once, and itself last', () => {
    fleet.declare({ replicas: 2 }).settle().bringUp(`${KEY}-1-0-1`).remove().settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'draining', '1-1-1': 'deleting' });
    fleet.later(10_000).settle().proveGone(`${KEY}-1-0-1`);
    expect(fleet.deployment(KEY).status).toBe('deleting');
    fleet.proveGone(`${KEY}-1-1-1`);
    expect(fleet.deployment(KEY).status).toBe('deleted');
  });

  it('comes back when it is declared again while it is being deleted', () => {
    fleet.declare().settle().bringUp(`${KEY}-1-0-1`).remove().settle().declare().settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'draining', '1-0-2': 'requested' });
  });

  it('scaling to zero is not deleting', () => {
    fleet
      .declare()
      .settle()
      .bringUp(`${KEY}-1-0-1`)
      .declare({ replicas: 0 })
      .settle()
      .later(10_000)
      .settle()
      .proveGone(`${KEY}-1-0-1`);
    expect(fleet.deployment(KEY)).toMatchObject({
      status: 'active',
      conditions: { Available: { reason: 'ScaledToZero' } },
    });
  });
});
