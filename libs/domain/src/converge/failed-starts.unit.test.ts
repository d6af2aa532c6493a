import { beforeEach, describe, expect, it } from '@jest/globals';
import { stream } from '@davit/contracts';
import { STABLE_MS } from '../lifecycle/state.js';
import { Fleet, KEY } from '../testing/fleet.js';
import { exampleDeployment } from '../testing/history.js';

const HALF_HOUR_MS = 30 * 60_000;

describe('starts that are paid for', () => {
  let fleet: Fleet;
  beforeEach(() => {
    fleet = new Fleet().declare().settle();
  });

  const slot = () => fleet.deployment(KEY).failedStarts['1/0'];
  const progressing = () => fleet.deployment(KEY).conditions['Progressing'];
  const next = (): string => {
    const [replica] = fleet.replicasOf(KEY);
    if (!replica) throw new Error('no replica was asked for');
    return replica.id;
  };
  /** The next incarnation is launched, its machine fails, and it is proven gone. */
  const failPaid = (): void => {
    const id = next();
    fleet.launch(id).observe(id, 'failed').settle().proveGone(id);
  };
  const refuse = (): void => {
    const id = next();
    const { externalKey } = fleet.replica(id);
    const owner = { externalKey, replicaId: id, adapter: 'skypilot', attempt: 1 };
    const name = stream.resource(externalKey);
    fleet.given(name, 'davit.resource.discovered', { ...owner, outcome: 'present', detail: '' }).settle();
    fleet.given(name, 'davit.resource.launch-refused', { ...owner, class: 'config', detail: 'no' }).settle();
    fleet.proveGone(id);
  };
  const serveAndDie = (servedMs: number): void => {
    const id = next();
    fleet.bringUp(id).later(servedMs).die(id).proveGone(id);
  };
  const waitOut = () => fleet.later(HALF_HOUR_MS * 1.3).settle();

  it('are given up after five in a row: no further one follows, and the condition names the last reason and the remedy', () => {
    for (let start = 1; start <= 5; start++) {
      failPaid();
      waitOut();
    }
    expect(slot()).toMatchObject({ count: 5, paid: [1, 2, 3, 4, 5].map((life) => `${KEY}-1-0-${life}`) });
    expect(fleet.statuses()).toEqual({});
    expect(progressing()).toMatchObject({ status: 'false', reason: 'GivenUp' });
    expect(progressing()?.message).toMatch(/5 times in a row.*resource failed.*davit retry default\/qwen/);
    expect(
      fleet
        .later(30 * 24 * HALF_HOUR_MS)
        .settle()
        .statuses(),
    ).toEqual({});
  });

  it('are as many as the specification says', () => {
    const plain = exampleDeployment();
    const readiness = { ...plain.spec.readiness, maxFailedStarts: 2 };
    const spec = { ...plain, spec: { ...plain.spec, readiness } };
    const { revision, templateDigest, intentId } = fleet.deployment(KEY);
    const declared = { intentId, generation: 2, revision, templateDigest, spec };
    fleet.given(stream.deployment(KEY), 'davit.deployment.declared', declared);
    failPaid();
    waitOut();
    failPaid();
    expect(waitOut().statuses()).toEqual({});
    expect(progressing()?.reason).toBe('GivenUp');
  });

  it('are begun anew by a retry, by another template, and by life after a deletion', () => {
    const giveUp = (): void => {
      for (let start = 1; start <= 5; start++) {
        waitOut();
        failPaid();
      }
      expect(waitOut().statuses()).toEqual({});
    };
    giveUp();
    fleet.retry();
    expect(fleet.settle().statuses()).toEqual({ '1-0-6': 'requested' });
    giveUp();
    expect(fleet.declare({ model: 'another/model' }).settle().statuses()).toEqual({ '2-0-1': 'requested' });
    giveUp();
    fleet.remove().settle();
    expect(fleet.deployment(KEY).status).toBe('deleted');
    fleet.declare({ model: 'another/model' }).settle();
    expect(fleet.statuses()).toEqual({ '2-0-6': 'requested' });
  });

  it('are not begun anew for what serves by a rollout away from it, nor by going back', () => {
    fleet.declare({ replicas: 2 }).settle().bringUp(`${KEY}-1-0-1`).bringUp(`${KEY}-1-1-1`).die(`${KEY}-1-0-1`);
    fleet.proveGone(`${KEY}-1-0-1`);
    for (let life = 2; life <= 5; life++) {
      const id = `${KEY}-1-0-${life}`;
      fleet.launch(id).observe(id, 'failed').settle().proveGone(id);
      waitOut();
    }
    expect(progressing()?.reason).toBe('GivenUp');
    fleet.declare({ replicas: 2, model: 'another/model' }).settle();
    expect(fleet.statuses()).toEqual({ '1-1-1': 'ready', '2-0-1': 'requested', '2-1-1': 'requested' });
    fleet.cancel();
    fleet.settle().proveGone(`${KEY}-2-0-1`).proveGone(`${KEY}-2-1-1`);
    expect(fleet.statuses()).toEqual({ '1-1-1': 'ready' });
    expect(progressing()?.reason).toBe('GivenUp');
  });

  it('are not those that the provider refused: they are tried for ever, ever less often', () => {
    for (let start = 1; start <= 8; start++) {
      refuse();
      waitOut();
    }
    expect(slot()).toMatchObject({ count: 8, paid: [] });
    expect(fleet.statuses()).toEqual({ '1-0-9': 'requested' });
  });

  it('include those whose answer was lost, and never those of a server that is only adopted', () => {
    const id = next();
    const { externalKey } = fleet.replica(id);
    const owner = { externalKey, replicaId: id, adapter: 'skypilot', attempt: 1 };
    fleet.given(stream.resource(externalKey), 'davit.resource.discovered', {
      ...owner,
      outcome: 'present',
      detail: '',
    });
    fleet.settle().given(stream.resource(externalKey), 'davit.resource.launch-unknown', { ...owner, detail: '' });
    fleet.later(HALF_HOUR_MS).settle();
    expect(slot()?.paid).toEqual([id]);

    fleet = new Fleet().declare({ mode: 'direct' }).settle();
    for (let start = 1; start <= 6; start++) {
      failPaid();
      waitOut();
    }
    expect(fleet.statuses()).toEqual({ '1-0-7': 'requested' });
  });

  it('include a replica that dies within ten minutes of being ready: a crash loop ends', () => {
    for (let start = 1; start <= 5; start++) {
      serveAndDie(STABLE_MS - 1);
      waitOut();
    }
    expect(fleet.statuses()).toEqual({});
    expect(progressing()?.reason).toBe('GivenUp');
  });

  it('begin to be counted anew once a replica has served for ten minutes', () => {
    for (let start = 1; start <= 4; start++) {
      serveAndDie(1_000);
      waitOut();
    }
    serveAndDie(STABLE_MS);
    expect(slot()).toBeUndefined();
    expect(fleet.statuses()).toEqual({ '1-0-6': 'requested' });
    serveAndDie(1_000);
    expect(slot()?.count).toBe(1);
  });

  it('heal a first death at once, and wait ever longer from the second on, at most half an hour and a quarter', () => {
    const waits: number[] = [];
    for (let start = 1; start <= 12; start++) {
      refuse();
      const since = fleet.nowMs;
      const until = /next try at (\S+)/.exec(progressing()?.message ?? '')?.[1] ?? '';
      waits.push(Date.parse(until) - since);
      waitOut();
    }
    waits.forEach((waitMs, index) => {
      const wholeMs = Math.min(HALF_HOUR_MS, 5_000 * 2 ** index);
      expect(waitMs).toBeGreaterThanOrEqual(0.75 * wholeMs);
      expect(waitMs).toBeLessThanOrEqual(1.25 * wholeMs);
    });
    // Spread by the name of the replica: no two slots that failed at once come back at once.
    expect(new Set(waits.map((waitMs, index) => waitMs / Math.min(HALF_HOUR_MS, 5_000 * 2 ** index))).size).toBe(12);
  });

  it('of old logs count as paid unless the launch was refused', () => {
    const failed = (reason: string) => ({
      ...({ replicaId: next(), class: 'config', reason, detail: '', placement: null, hadServed: false } as const),
    });
    const before = new Fleet().declare().settle();
    before.given(stream.replica(next()), 'davit.replica.failed', failed('launch refused'));
    before.given(stream.replica(next()), 'davit.replica.failed', failed('start deadline passed'));
    expect(before.deployment(KEY).failedStarts['1/0']).toMatchObject({ count: 2, paid: [next()] });
  });
});
