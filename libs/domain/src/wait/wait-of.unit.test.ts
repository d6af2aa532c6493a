import { describe, expect, it } from '@jest/globals';
import { stream } from '@davit/contracts';
import fc from 'fast-check';
import { isReopened } from '../lifecycle/state.js';
import { Fleet, KEY } from '../testing/fleet.js';
import { type Wait, waitOf } from './wait-of.js';

const ID = `${KEY}-1-0-1`;

/** Things that may happen to a fleet, in any order; each acts on some replica that is there. */
const STEPS: Readonly<Record<string, (fleet: Fleet, id: string) => unknown>> = {
  launch: (fleet, id) => fleet.replica(id).status === 'requested' && fleet.launch(id),
  'come up': (fleet, id) => fleet.replica(id).status === 'requested' && fleet.bringUp(id),
  'look for it in vain': (fleet, id) => discovered(fleet, id, 'unknown'),
  'find nothing': (fleet, id) => discovered(fleet, id, 'absent'),
  'see it start': (fleet, id) => fleet.observe(id, 'provisioning'),
  'see it up': (fleet, id) => fleet.observe(id, 'up', 'http://127.0.0.1:9'),
  'see it failed': (fleet, id) => fleet.observe(id, 'failed'),
  'lose sight': (fleet, id) => fleet.observe(id, 'unknown'),
  die: (fleet, id) => fleet.replica(id).runtime && fleet.die(id),
  'prove gone': (fleet, id) => fleet.proveGone(id),
  quarantine: (fleet, id) =>
    fleet.given(stream.replica(id), 'davit.replica.quarantined', { replicaId: id, reason: 'x', detail: 'y' }),
  scale: (fleet) => fleet.declare({ replicas: 1 + (fleet.events.length % 3) }),
  roll: (fleet) => fleet.declare({ replicas: 2, model: `a/b${fleet.events.length % 3}` }),
  'roll in place': (fleet) =>
    fleet.declare({ replicas: 2, model: `a/b${fleet.events.length % 3}`, strategy: 'in-place' }),
  cancel: (fleet) => fleet.cancel(),
  retry: (fleet) => fleet.retry(),
  remove: (fleet) => fleet.remove(),
  'wait a little': (fleet) => fleet.later(7_000),
  'wait long': (fleet) => fleet.later(40 * 60_000),
};

function discovered(fleet: Fleet, id: string, outcome: 'unknown' | 'absent'): void {
  const { externalKey, discovery } = fleet.replica(id);
  const owner = { externalKey, replicaId: id, adapter: 'skypilot' };
  const attempt = Math.max(1, discovery.attempt);
  fleet.given(stream.resource(externalKey), 'davit.resource.discovered', { ...owner, attempt, outcome, detail: '' });
}

describe('what a replica waits for', () => {
  it('law-09: is visible in every state, with since and next, unless it serves or is proven gone', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.nat(20)), { maxLength: 40 });
    const seen = new Set<string>();
    fc.assert(
      fc.property(steps, (history) => {
        const fleet = new Fleet().declare({ replicas: 2 }).settle();
        for (const [name, which] of history) {
          const replicas = fleet.replicasOf(KEY);
          const { id } = replicas[which % Math.max(1, replicas.length)] ?? { id: undefined };
          if (id === undefined && fleet.deployment(KEY).status === 'deleted') return;
          STEPS[name]?.(fleet, id ?? ID);
          fleet.settle();
          for (const replica of fleet.replicasOf(KEY)) {
            const wait = waitOf(replica, { deployment: fleet.deployment(KEY), fleet: fleet.fleet() });
            const serves = replica.status === 'ready' && replica.route.registered;
            if (serves && wait === null) continue;
            expect([replica.id, replica.status, wait]).toEqual([replica.id, replica.status, expect.anything()]);
            seen.add(wait?.reason ?? '');
            expect(Date.parse(wait?.since ?? '')).toBeLessThanOrEqual(fleet.nowMs);
            expect(wait?.next).not.toBe('');
          }
          const { status, conditions } = fleet.deployment(KEY);
          if (status !== 'deleted') expect(conditions['Progressing']).toBeDefined();
        }
      }),
      { numRuns: 150, seed: 3 },
    );
    expect([...seen].sort()).toEqual(
      expect.arrayContaining(['advice', 'deleting', 'discovery', 'draining', 'quarantined', 'starting']),
    );
  });

  const wait = (fleet: Fleet, id = ID): Wait | null => waitOf(fleet.replica(id), { fleet: fleet.fleet() });
  const iso = (ms: number): string => new Date(ms).toISOString();

  it('is the answer of an agent, then of an advisor, then stock, with the instant of the next look', () => {
    const fleet = new Fleet().declare().settle();
    const { nowMs } = fleet;
    expect(wait(fleet)).toMatchObject({ reason: 'discovery', since: iso(nowMs), deadline: iso(nowMs + 300_000) });
    discovered(fleet, ID, 'unknown');
    expect(wait(fleet)).toMatchObject({ reason: 'discovery-unanswered', since: iso(nowMs) });
    discovered(fleet.later(1_000), ID, 'absent');
    expect(wait(fleet)).toMatchObject({ reason: 'advice', since: iso(nowMs + 1_000), deadline: iso(nowMs + 16_000) });
    const deferred = { replicaId: ID, reason: 'no stock', retryAt: iso(nowMs + 90_000), evidence: [] };
    fleet.given(stream.replica(ID), 'davit.replica.deferred', deferred);
    expect(wait(fleet)).toMatchObject({ reason: 'capacity', deadline: iso(nowMs + 90_000) });
  });

  it('is the launch, its answer or the start, up to the deadline of the start', () => {
    const fleet = new Fleet().declare().settle();
    discovered(fleet, ID, 'absent');
    fleet.later(15_000).settle();
    const deadline = fleet.replica(ID).launch?.deadlineAt;
    expect(wait(fleet)).toMatchObject({ reason: 'launch-queued', deadline });
    const { externalKey } = fleet.replica(ID);
    const owner = { externalKey, replicaId: ID, adapter: 'skypilot', attempt: 1 };
    fleet.given(stream.resource(externalKey), 'davit.resource.launch-unknown', { ...owner, detail: '' });
    expect(wait(fleet)).toMatchObject({ reason: 'launch-unresolved', deadline });
    const accepted = { ...owner, handle: null, resolvedBy: 'discovery' } as const;
    fleet.given(stream.resource(externalKey), 'davit.resource.launch-accepted', accepted);
    expect(wait(fleet)).toMatchObject({ reason: 'starting', deadline });
  });

  it('is nothing while it serves, the withdrawal of its route and its requests while it drains, and proof at the end', () => {
    const fleet = new Fleet().declare().settle().bringUp(ID);
    expect(wait(fleet)).toBeNull();
    fleet.remove().settle();
    expect(wait(fleet)).toMatchObject({ reason: 'draining', deadline: iso(fleet.nowMs + 10_000) });
    fleet.later(10_000).settle();
    expect(wait(fleet)).toMatchObject({ reason: 'deleting', next: expect.stringContaining('counts as billing') });
    const { externalKey } = fleet.replica(ID);
    const absent = { externalKey, replicaId: ID, adapter: 'skypilot', by: 'key', inventoryRows: null } as const;
    fleet.later(1_000).given(stream.resource(externalKey), 'davit.resource.absence-observed', absent);
    expect(wait(fleet)).toMatchObject({ reason: 'proving-absence', since: iso(fleet.nowMs) });
    fleet.proveGone(ID);
    expect(wait(fleet)).toBeNull();
    fleet.later(1_000).observe(ID, 'up');
    expect(isReopened(fleet.replica(ID))).toBe(true);
    expect(wait(fleet)).toMatchObject({ reason: 'decision' });
  });

  it('law-12: is the end of the freeze for whatever the freeze holds', () => {
    const fleet = new Fleet().declare().settle().bringUp(ID);
    const frozen = { ...fleet.fleet(), frozen: { since: iso(fleet.nowMs), detail: '7 of 9 at once' } };
    const ill = { ...fleet.replica(ID), absence: { observedAt: ['a', 'b'], confirmedAt: iso(0), released: false } };
    expect(waitOf(ill, { fleet: frozen })).toMatchObject({ reason: 'fleet-frozen', deadline: null });
    expect(waitOf(ill)).toMatchObject({ reason: 'decision' });
  });
});
