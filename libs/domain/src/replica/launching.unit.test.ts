import { beforeEach, describe, expect, it } from '@jest/globals';
import { type NormalisedDeployment, stream } from '@davit/contracts';
import { Fleet, KEY } from '../testing/fleet.js';
import { exampleDeployment } from '../testing/history.js';
import { startTimesOf } from './start-times.js';

const ID = `${KEY}-1-0-1`;
const MINUTE = 60_000;

describe('the deadline of a start', () => {
  let fleet: Fleet;
  beforeEach(() => {
    fleet = new Fleet().declare().settle();
    const before = fleet.nowMs;
    fleet.launch(ID);
    expect(deadlineMinutes(before)).toBe(25);
  });
  const startedMs = Date.UTC(2026, 0, 1);
  const deadlineMinutes = (sinceMs = startedMs) =>
    (Date.parse(fleet.replica(ID).launch?.deadlineAt ?? '') - sinceMs) / MINUTE;
  const at = (minutes: number): Fleet => {
    fleet.nowMs = startedMs + minutes * MINUTE;
    return fleet;
  };
  const loading = () =>
    fleet.given(stream.runtime(ID), 'davit.runtime.became-unready', {
      ...{
        replicaId: ID,
        url: 'http://127.0.0.1:9',
        reason: 'loading',
        detail: 'shard 3 of 9',
        consecutiveFailures: 5,
      },
    });

  it('ends a start that showed nothing for a quarter of it, and says in which phase it was', () => {
    at(1).observe(ID, 'provisioning');
    at(24.9).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'launching' });
    at(25).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'deleting' });
    expect(fleet.replica(ID).failure).toMatchObject({
      reason: 'start deadline passed',
      detail: expect.stringMatching(/while the machine was provisioning; last progress at \S+: the provider says prov/),
    });
  });

  it('moves by a quarter for progress within the last quarter, and the event names phase, progress and cap', () => {
    at(20).observe(ID, 'up', 'http://127.0.0.1:9');
    at(25).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'launching' });
    expect(deadlineMinutes()).toBe(31.25);
    expect(fleet.events.at(-1)).toMatchObject({
      type: 'davit.replica.deadline-extended',
      data: {
        capAt: new Date(startedMs + 75 * MINUTE).toISOString(),
        reason: expect.stringContaining('its address is'),
      },
    });
    at(31.25).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'deleting' });
  });

  it('moves on while the model server says that it is loading, and never beyond the cap', () => {
    at(2).observe(ID, 'up', 'http://127.0.0.1:9');
    loading();
    for (let minutes = 25; minutes < 75; minutes += 0.25) {
      at(minutes).settle();
      expect([minutes, fleet.replica(ID).status]).toEqual([minutes, 'launching']);
      expect(deadlineMinutes()).toBeLessThanOrEqual(75);
    }
    at(75).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'deleting' });
    expect(fleet.replica(ID).failure?.detail).toContain('was loading (shard 3 of 9)');
  });

  it('deletes and proves absence before the next incarnation', () => {
    at(25).settle().later(MINUTE).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'deleting' });
    fleet.proveGone(ID);
    expect(fleet.later(7_000).settle().statuses()).toEqual({ '1-0-2': 'requested' });
  });

  it('does not end a replica that was ready, however long it has been so', () => {
    fleet
      .bringUp(ID)
      .later(100 * 24 * 60 * MINUTE)
      .settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready' });
  });

  it('says what was going on when nobody knows whether there is a machine', () => {
    const other = new Fleet().declare().settle();
    const { externalKey } = other.replica(ID);
    const owner = { externalKey, replicaId: ID, adapter: 'skypilot', attempt: 1 };
    other.given(stream.resource(externalKey), 'davit.resource.discovered', {
      ...owner,
      outcome: 'present',
      detail: '',
    });
    other.settle().given(stream.resource(externalKey), 'davit.resource.launch-unknown', { ...owner, detail: '' });
    other.later(25 * MINUTE).settle();
    expect(other.replica(ID).failure?.detail).toContain('nobody knew whether the launch was accepted');
  });
});

describe('how long a start may take', () => {
  const spec = (change: {
    sizeGiB?: number;
    readiness?: Partial<NormalisedDeployment['spec']['readiness']>;
  }): NormalisedDeployment['spec'] => {
    const { spec: plain } = exampleDeployment();
    const model = change.sizeGiB === undefined ? plain.model : { ...plain.model, sizeGiB: change.sizeGiB };
    return { ...plain, model, readiness: { ...plain.readiness, ...change.readiness } };
  };

  it('grows with the size of the model, up to the cap', () => {
    expect(startTimesOf(spec({})).deadlineMs).toBe(25 * MINUTE);
    expect(startTimesOf(spec({ sizeGiB: 144 })).deadlineMs).toBe(55 * MINUTE);
    expect(startTimesOf(spec({ sizeGiB: 9_000 })).deadlineMs).toBe(75 * MINUTE);
  });

  it('has a step of a quarter, at least a minute, and never more than the deadline itself', () => {
    expect(startTimesOf(spec({})).stepMs).toBe(6.25 * MINUTE);
    expect(startTimesOf(spec({ readiness: { startDeadlineMs: 2 * MINUTE } })).stepMs).toBe(MINUTE);
    expect(startTimesOf(spec({ readiness: { startDeadlineMs: 5_000 } })).stepMs).toBe(5_000);
  });

  it('is capped at three times the deadline in logs that knew no cap', () => {
    const old = { startDeadlineMs: 25 * MINUTE, healthDeadlineMs: MINUTE };
    expect(startTimesOf({ ...exampleDeployment().spec, readiness: old }).capMs).toBe(75 * MINUTE);
  });
});
