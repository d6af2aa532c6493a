import { beforeEach, describe, expect, it } from '@jest/globals';
import { type EventData, type StockSignal, type StockState, stream } from '@davit/contracts';
import { REFUSAL_MEMORY_MS } from '../placement/refusals.js';
import { Fleet, KEY } from '../testing/fleet.js';
import { waitOf } from '../wait/wait-of.js';

const ID = `${KEY}-1-0-1`;
const MINUTE = 60_000;

describe('placing a replica', () => {
  let fleet: Fleet;
  beforeEach(() => {
    fleet = new Fleet().declare().settle();
  });
  const signal = (state: StockState, change: Partial<StockSignal> & { amount?: string } = {}): StockSignal => {
    const { amount, ...rest } = change;
    const observedAt = new Date(fleet.nowMs).toISOString();
    const said = { currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'runpod-v2', observedAt } as const;
    return {
      state,
      source: 'runpod-v2',
      scope: 'global',
      level: 'LOW',
      observedAt,
      expiresAt: new Date(fleet.nowMs + 30_000).toISOString(),
      price: amount === undefined ? null : { amount, ...said },
      detail: '',
      raw: { stock: 'LOW' },
      permanent: false,
      ...rest,
    };
  };
  const last = <Type extends 'davit.replica.placed' | 'davit.replica.deferred'>(type: Type): EventData<Type> => {
    const event = fleet.events.findLast((one) => one.type === type);
    if (!event) throw new Error(`no ${type}`);
    return event.data as EventData<Type>; // found by its type
  };
  /** What an agent does of a launch that was asked for. */
  const refuse = (id: string): void => {
    const { externalKey } = fleet.replica(id);
    const refusal = {
      externalKey,
      replicaId: id,
      adapter: 'skypilot',
      attempt: 1,
      class: 'capacity',
      detail: 'none',
    } as const;
    fleet.given(stream.resource(externalKey), 'davit.resource.launch-refused', refusal).settle().proveGone(id);
  };

  it('adopts what is there without asking for stock, even where there is none', () => {
    fleet.launch(ID);
    expect(last('davit.replica.placed')).toMatchObject({ adopted: true, placement: null, evidence: [] });
  });

  it('goes on with little stock, with a warning in the evidence', () => {
    fleet.advise(ID, () => signal('constrained')).settle();
    expect(last('davit.replica.placed')).toMatchObject({
      rung: 0,
      evidence: [
        { verdict: 'chosen', state: 'constrained', ageMs: 0, reason: expect.stringContaining('may be refused') },
        { verdict: 'next' },
      ],
    });
  });

  it('law-04: goes on when nothing is known, once the answers are overdue', () => {
    fleet.advise(ID, () => undefined).settle();
    expect(fleet.replica(ID).status).toBe('requested');
    fleet.later(15_000).settle();
    expect(last('davit.replica.placed')).toMatchObject({ rung: 0, price: null });
    expect(last('davit.replica.placed').evidence[0]).toMatchObject({ state: 'unknown', source: 'none', ageMs: null });
  });

  it('law-15: waits only where every rung is known to be out of stock, and keeps the whole answers', () => {
    const answers = [
      signal('unavailable'),
      signal('unavailable', { expiresAt: new Date(fleet.nowMs + MINUTE).toISOString() }),
    ];
    fleet.advise(ID, (rung) => answers[rung]).settle();
    const deferred = last('davit.replica.deferred');
    expect(deferred.evidence.map((rung) => rung.signal)).toEqual(answers);
    expect(deferred.reason).toBe(
      'runpod L40S:1: no stock, said by runpod-v2 0 s ago; runpod A100-80GB:1: no stock, said by runpod-v2 0 s ago',
    );
    expect(Date.parse(deferred.retryAt)).toBe(fleet.nowMs + 30_000);
  });

  it('never looks again before an answer that keeps it waiting has ended', () => {
    const expiresAt = new Date(fleet.nowMs + 7 * MINUTE).toISOString();
    fleet.advise(ID, () => signal('unavailable', { expiresAt })).settle();
    const retryMs = Date.parse(last('davit.replica.deferred').retryAt);
    expect(retryMs).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    expect(retryMs).toBeLessThan(Date.parse(expiresAt) + 0.1 * 7 * MINUTE);
  });

  it('falls down the ladder on real refusals, comes back up when they are forgiven, and waits for that where all refused', () => {
    const place = (id: string) => fleet.advise(id, () => signal('available')).settle();
    place(ID);
    expect(last('davit.replica.placed').rung).toBe(0);
    refuse(ID);
    place(`${KEY}-1-0-2`);
    expect(last('davit.replica.placed')).toMatchObject({
      rung: 1,
      evidence: [{ verdict: 'rejected', reason: expect.stringContaining('refused a launch for capacity') }, {}],
    });
    refuse(`${KEY}-1-0-2`);
    place(`${KEY}-1-0-3`);
    const { retryAt } = last('davit.replica.deferred');
    expect(Date.parse(retryAt)).toBeGreaterThanOrEqual(fleet.nowMs + REFUSAL_MEMORY_MS);
    fleet.later(Date.parse(retryAt) - fleet.nowMs).settle();
    place(`${KEY}-1-0-3`);
    expect(last('davit.replica.placed').rung).toBe(0);
  });

  it('remembers what was accepted to be paid for an offer, until the deployment is declared anew', () => {
    const placeAt = (id: string, amount: string) => fleet.advise(id, () => signal('available', { amount })).settle();
    placeAt(ID, '1.00');
    expect(last('davit.replica.placed').price?.amount).toBe('1.00');
    fleet.later(MINUTE).declare({ replicas: 2 }).settle();
    placeAt(`${KEY}-1-1-1`, '2.00');
    expect(last('davit.replica.placed')).toMatchObject({ rung: 0, price: { amount: '2.00' } });
    fleet.bringUp(`${KEY}-1-1-1`).later(MINUTE).die(`${KEY}-1-1-1`);
    placeAt(`${KEY}-1-1-2`, '2.51');
    expect(last('davit.replica.placed').evidence[0]).toMatchObject({
      verdict: 'rejected',
      reason: expect.stringMatching(/^2\.51 USD an hour, which nobody guarantees, is above 2\.5 /),
    });
  });

  describe('under a budget', () => {
    beforeEach(() => {
      fleet = new Fleet().declare({ budget: { maxHourly: '1', currency: 'USD', onExceed: 'refuse' } }).settle();
    });
    const conditions = () => fleet.deployment(KEY).conditions;

    it('says that it waits for its budget where one candidate lacks nothing but room in it', () => {
      fleet.advise(ID, (rung) => signal(rung === 0 ? 'unavailable' : 'available', { amount: '2.00' })).settle();
      expect(last('davit.replica.deferred').waitsFor).toBe('budget');
      expect(waitOf(fleet.replica(ID))).toMatchObject({ reason: 'budget' });
      expect(conditions()['Progressing']).toMatchObject({ status: 'true', reason: 'HeldByBudget' });
      expect(conditions()['WithinBudget']).toMatchObject({ status: 'false', reason: 'HeldBack' });
    });

    it('says that it waits for capacity where each lacks something else too', () => {
      fleet.advise(ID, () => signal('unavailable', { amount: '2.00' })).settle();
      expect(last('davit.replica.deferred').waitsFor).toBe('capacity');
      expect(waitOf(fleet.replica(ID))).toMatchObject({ reason: 'capacity' });
      expect(conditions()['Progressing']).toMatchObject({ reason: 'WaitingForCapacity' });
      expect(conditions()['WithinBudget']).toMatchObject({ status: 'true' });
    });
  });

  it('waits for capacity as a slot, however many replicas are refused', () => {
    fleet.advise(ID, () => signal('available')).settle();
    refuse(ID);
    expect(fleet.statuses()).toEqual({ '1-0-2': 'requested' });
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({ reason: 'WaitingForCapacity' });
    fleet.bringUp(`${KEY}-1-0-2`);
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({ reason: 'Converged' });
  });

  it('tells no more reasons than anybody reads, and keeps the evidence of all', () => {
    const many = new Fleet().declare({
      compute: { any: { clouds: ['runpod'], regions: ['A', 'B', 'C', 'D', 'E', 'F'], accelerators: ['L40S'] } },
    });
    fleet = many.settle();
    fleet.advise(ID, () => signal('unavailable', { permanent: true })).settle();
    const { reason, evidence } = last('davit.replica.deferred');
    expect(reason).toMatch(
      /^waiting will not help, change the placements: runpod A L40S:1: .*; and 2 others, each for/,
    );
    expect(evidence).toHaveLength(6);
  });

  it('spreads replicas that are asked for at once', () => {
    fleet = new Fleet().declare({
      replicas: 4,
      compute: { any: { clouds: ['runpod', 'vast'], accelerators: ['L40S'] }, spread: 'cloud' },
    });
    fleet.settle();
    const ids = fleet.replicasOf(KEY).map(({ id }) => id);
    for (const id of ids.toReversed()) fleet.advise(id, () => signal('available'));
    fleet.settle();
    const clouds = ids.map((id) => fleet.replica(id).placement?.cloud);
    expect(clouds.filter((cloud) => cloud === 'vast')).toHaveLength(2);
  });
});
