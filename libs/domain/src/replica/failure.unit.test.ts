import { beforeEach, describe, expect, it } from '@jest/globals';
import { type EventData, stream } from '@davit/contracts';
import { Fleet, KEY } from '../testing/fleet.js';

const ID = `${KEY}-1-0-1`;

describe('an accepted launch that finds no capacity', () => {
  let fleet: Fleet;
  const facts = () => {
    const { externalKey } = fleet.replica(ID);
    return { name: stream.resource(externalKey), owner: { externalKey, replicaId: ID, adapter: 'skypilot' } };
  };
  beforeEach(() => {
    fleet = new Fleet().declare().settle();
    const { name, owner } = facts();
    fleet.given(name, 'davit.resource.discovered', { ...owner, attempt: 1, outcome: 'absent', detail: '' });
    fleet.later(16_000).settle();
    fleet.given(name, 'davit.resource.launch-accepted', { ...owner, attempt: 1, handle: null, resolvedBy: 'reply' });
  });
  const end = (failure: 'capacity' | 'transient'): EventData<'davit.replica.failed'> => {
    const { name, owner } = facts();
    const seen = { phase: 'failed', url: null, providerId: null, price: null, detail: 'none left' } as const;
    fleet.given(name, 'davit.resource.observed', { ...owner, ...seen, class: failure }).settle();
    const failed = fleet.events.find(({ type }) => type === 'davit.replica.failed');
    if (failed?.type !== 'davit.replica.failed') throw new Error('it did not fail');
    return failed.data;
  };
  const counted = () => fleet.deployment(KEY).failedStarts['1/0'];

  it('is not paid for, and is no failed start, where the provider never showed a machine', () => {
    fleet.observe(ID, 'provisioning');
    expect(end('capacity')).toMatchObject({ class: 'capacity', paid: false, machine: false });
    expect(counted()).toBeUndefined();
    expect(fleet.deployment(KEY).refusals).toHaveLength(1);
  });
  it('is paid for, and a failed start, where the provider showed one', () => {
    fleet.observe(ID, 'up');
    expect(end('capacity')).toMatchObject({ paid: true, machine: true });
    expect(counted()).toMatchObject({ count: 1, paid: [ID] });
    expect(fleet.deployment(KEY).refusals).toHaveLength(1);
  });
  it('is taken for paid when it ends for any other reason', () => {
    expect(end('transient')).toMatchObject({ paid: true, machine: false });
    expect(counted()).toMatchObject({ count: 1, paid: [ID] });
  });
  it('does not become paid when a log of an older version is read', () => {
    const { machine, ...old } = end('capacity');
    expect(machine).toBe(false);
    const other = new Fleet().declare().settle();
    other.given(stream.replica(ID), 'davit.replica.failed', { ...old, paid: true });
    expect(other.deployment(KEY).failedStarts).toEqual({});
  });
});
