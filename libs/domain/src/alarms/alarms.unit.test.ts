import { beforeEach, describe, expect, it } from '@jest/globals';
import { stream } from '@davit/contracts';
import { type AlarmState, type DeploymentState, type ReplicaState, isLive } from '../lifecycle/state.js';
import { hasFailingStarts } from '../converge/slots.js';
import { Fleet, KEY } from '../testing/fleet.js';
import { DEFAULT_PATIENCE } from '../wait/patience.js';
import { decideAlarms } from './decide.js';
import { hasWaits } from './waiting.js';
import { type WantedAlarm, wantedAlarms } from './wanted.js';

const ID = `${KEY}-1-0-1`;
const SLOT = `${KEY}-1-0`;
const MINUTE = 60_000;

describe('alarms', () => {
  let fleet: Fleet;
  let everSeen: Map<string, ReplicaState>;
  beforeEach(() => {
    fleet = new Fleet().declare().settle();
    everSeen = new Map();
  });

  const wanted = (present = fleet.replicasOf(KEY)): readonly WantedAlarm[] => {
    const deployment: DeploymentState = fleet.deployment(KEY);
    return wantedAlarms({
      failing: hasFailingStarts(deployment) ? [deployment] : [],
      waiting: hasWaits(deployment) ? [deployment] : [],
      paused: deployment.paused ? [deployment] : [],
      present,
      failed: everSeen,
      rollouts: [],
      budgets: [],
      patience: DEFAULT_PATIENCE,
      nowMs: fleet.nowMs,
    });
  };
  const names = () => wanted().map(({ alarm, about, severity }) => [alarm, about, severity]);

  /** The next incarnation bills half an hour, fails, and takes half an hour more to be gone. */
  const failPaid = (price: string | null): void => {
    const { id, externalKey } = fleet.replicasOf(KEY).find(({ status }) => status === 'requested') ?? fleet.replica(ID);
    fleet.launch(id);
    const seen = {
      externalKey,
      replicaId: id,
      adapter: 'skypilot',
      url: null,
      providerId: 'x',
      class: null,
      detail: '',
    };
    const observedAt = new Date(fleet.nowMs).toISOString();
    const rate = { currency: 'USD', unit: 'instance-hour', kind: 'billed', source: 'test', observedAt } as const;
    const quoted = price === null ? null : { amount: price, ...rate };
    const name = stream.resource(externalKey);
    fleet.given(name, 'davit.resource.observed', { ...seen, phase: 'provisioning', price: quoted });
    fleet.later(30 * MINUTE);
    fleet.given(name, 'davit.resource.observed', { ...seen, phase: 'failed', price: quoted }).settle();
    fleet.later(30 * MINUTE).proveGone(id);
    everSeen.set(id, fleet.replica(id));
    fleet.later(40 * MINUTE).settle();
  };

  it('say of starts that were given up what they cost, to proven absence, and what to do', () => {
    for (const price of ['0.80', '0.80', '0.80', '0.80', '0.79']) failPaid(price);
    expect(names()).toEqual([['failed-starts', KEY, 'critical']]);
    expect(wanted()[0]?.detail).toMatch(/5 starts in a row.*spent so far: 3\.9900 USD;.*davit retry default\/qwen/);
    fleet.retry();
    fleet.settle();
    expect(names()).toEqual([]);
  });

  it('say of starts that are refused over and over that nobody should wait for them, until one serves or is called off', () => {
    const refuse = (): void => {
      const [{ id, externalKey } = { id: '', externalKey: '' }] = fleet.replicasOf(KEY);
      const owner = { externalKey, replicaId: id, adapter: 'skypilot', attempt: 1 };
      const name = stream.resource(externalKey);
      fleet.given(name, 'davit.resource.discovered', { ...owner, outcome: 'present', detail: '' }).settle();
      fleet.given(name, 'davit.resource.launch-refused', { ...owner, class: 'auth', detail: 'no key' }).settle();
      fleet
        .proveGone(id)
        .later(40 * MINUTE)
        .settle();
    };
    for (let start = 1; start <= 4; start++) refuse();
    expect(names()).toEqual([]);
    refuse();
    expect(names()).toEqual([['failed-starts', KEY, 'warning']]);
    expect(wanted()[0]?.detail).toMatch(/^replica 0 of revision 1: 5 starts in a row failed; the last: .*no key;/);
    fleet.declare({ replicas: 0 }).settle();
    fleet.replicasOf(KEY).forEach(({ id }) => fleet.proveGone(id));
    expect(names()).toEqual([]);
  });

  it('tell of what was given up also while something else is quarantined', () => {
    fleet.declare({ replicas: 2 }).settle();
    const second = `${KEY}-1-1-1`;
    fleet.given(stream.replica(second), 'davit.replica.quarantined', { replicaId: second, reason: 'x', detail: 'y' });
    for (const price of ['0.80', '0.80', '0.80', '0.80', '0.80']) failPaid(price);
    expect(fleet.deployment(KEY).conditions['Progressing']?.reason).toBe('Quarantined');
    expect(names()).toEqual([
      ['failed-starts', KEY, 'critical'],
      ['quarantined', second, 'critical'],
    ]);
  });

  it('law-14: never call a machine free whose price nobody told, or of which nothing is known', () => {
    for (const price of ['0.80', '0.80', null, null, null]) failPaid(price);
    expect(wanted()[0]?.detail).toContain('spent so far: 1.6000 USD and 180 minutes at an unknown price;');
    everSeen.clear();
    expect(wanted()[0]?.detail).toContain('of 5 of them nothing is known, which is not nothing');
  });

  it('law-10: are raised whatever stands in the books of one machine, which is told as not known', () => {
    for (const price of ['0.80', '0.80', '0.80', '0.80', '0.79']) failPaid(price);
    const [id = '', replica] = [...everSeen][0] ?? [];
    // As tables hold it that something has spoilt: its shape is the same but for that text.
    const spoil = (what: string, into: string): void =>
      void everSeen.set(id, JSON.parse(JSON.stringify(replica).replaceAll(what, into)) as ReplicaState);
    spoil('"amount":"0.80"', '"amount":"much"');
    expect(wanted()[0]?.detail).toContain('spent so far: 3.1900 USD and 60 minutes at an unknown price;');
    spoil('"from":"2', '"from":"never');
    expect(wanted()[0]?.detail).toContain('spent so far: 3.1900 USD, of 1 of them nothing is known');
  });

  it('law-10: tell of no bill that cannot be read, and of every other', () => {
    fleet.declare({ replicas: 2 }).settle();
    const observedAt = new Date(fleet.nowMs).toISOString();
    const rate = { currency: 'USD', unit: 'instance-hour', source: 'test', observedAt } as const;
    for (const { id, externalKey } of fleet.replicasOf(KEY)) {
      fleet.bringUp(id);
      const seen = {
        externalKey,
        replicaId: id,
        adapter: 'skypilot',
        url: null,
        providerId: 'x',
        class: null,
        detail: '',
      };
      for (const [amount, kind] of [
        ['0.40', 'quoted'],
        ['0.90', 'billed'],
      ] as const)
        fleet.given(stream.resource(externalKey), 'davit.resource.observed', {
          ...{ ...seen, phase: 'up', price: { ...rate, amount, kind } },
        });
    }
    const [first, second] = fleet.replicasOf(KEY);
    const deviations = (present: readonly (ReplicaState | undefined)[]) =>
      wanted(present.flatMap((one) => one ?? [])).flatMap(({ alarm, about }) =>
        alarm === 'price-deviation' ? [about] : [],
      );
    expect(deviations([first, second])).toEqual([first?.id, second?.id]);
    const spoilt = JSON.parse(JSON.stringify(first).replaceAll('"0.90"', '"much"')) as ReplicaState;
    expect(deviations([spoilt, second])).toEqual([second?.id]);
  });

  it('tell of a launch or a look without an answer for five minutes', () => {
    fleet.later(5 * MINUTE - 1);
    expect(names()).toEqual([]);
    fleet.later(1);
    expect(names()).toEqual([['unanswered', ID, 'warning']]);
    const { externalKey } = fleet.replica(ID);
    const owner = { externalKey, replicaId: ID, adapter: 'skypilot', attempt: 1 };
    fleet.given(stream.resource(externalKey), 'davit.resource.discovered', {
      ...owner,
      outcome: 'present',
      detail: '',
    });
    fleet.settle().given(stream.resource(externalKey), 'davit.resource.launch-unknown', { ...owner, detail: '' });
    expect(names()).toEqual([]);
    fleet.later(5 * MINUTE);
    expect(names()).toEqual([['unanswered', ID, 'critical']]);
  });

  it('tell of a deletion that is not proven after a quarter of an hour: it counts as billing', () => {
    fleet.bringUp(ID).remove().settle().later(10_000).settle();
    fleet.later(15 * MINUTE - 1);
    expect(names()).toEqual([]);
    fleet.later(1);
    expect(names()).toEqual([['deletion-stuck', ID, 'critical']]);
    expect(wanted()[0]?.detail).toContain('counts as billing (deletion requested by attempt 0)');
  });

  it('tell once of a provider that cannot be read for ten minutes, however many replicas it has', () => {
    fleet.declare({ replicas: 2 }).settle().bringUp(ID).bringUp(`${KEY}-1-1-1`);
    fleet
      .observe(ID, 'unknown')
      .observe(`${KEY}-1-1-1`, 'unknown')
      .later(10 * MINUTE);
    expect(names()).toEqual([['blind', 'skypilot', 'critical']]);
    fleet.observe(ID, 'up', 'http://127.0.0.1:9').observe(`${KEY}-1-1-1`, 'up', 'http://127.0.0.1:9');
    expect(names()).toEqual([]);
  });

  it('tell of what waits for an hour, and of what is quarantined at once', () => {
    const retryAt = new Date(fleet.nowMs + 90 * MINUTE).toISOString();
    fleet.given(stream.replica(ID), 'davit.replica.deferred', { replicaId: ID, reason: 'x', retryAt, evidence: [] });
    fleet.later(60 * MINUTE);
    expect(names()).toEqual([['waiting-long', SLOT, 'warning']]);
    const waitsFor = 'budget' as const;
    const again = { replicaId: ID, reason: 'x', waitsFor, retryAt, evidence: [] };
    fleet.given(stream.replica(ID), 'davit.replica.discovery-requested', { replicaId: ID, attempt: 2 });
    fleet.given(stream.replica(ID), 'davit.replica.deferred', again);
    expect(names()).toEqual([['waiting-long', SLOT, 'warning']]);
    expect(wanted()[0]?.detail).toContain('waits for: budget, since 2026-01-01T00:00');
    fleet.given(stream.replica(ID), 'davit.replica.quarantined', { replicaId: ID, reason: 'x', detail: 'y' });
    expect(names()).toEqual([['quarantined', ID, 'critical']]);
  });

  it('law-08: tell of one long wait for stock as one, also at the moments when stock is looked for', () => {
    const retryAt = new Date(fleet.nowMs + 10 * MINUTE).toISOString();
    const name = stream.replica(ID);
    fleet.given(name, 'davit.replica.deferred', { replicaId: ID, reason: 'x', retryAt, evidence: [] });
    fleet.later(60 * MINUTE);
    const before = wanted();
    fleet.given(name, 'davit.replica.discovery-requested', { replicaId: ID, attempt: 2 });
    expect(names()).toEqual([['waiting-long', SLOT, 'warning']]);
    expect(wanted()).toEqual(before);
  });

  describe('of a slot whose replicas are refused again and again', () => {
    const live = (): ReplicaState | undefined => fleet.replicasOf(KEY).find(isLive);
    const longWait = () => names().filter(([alarm]) => alarm === 'waiting-long');
    /** The present replica is placed, however long that takes, refused, and proven gone; the next one follows. */
    const refuse = (failure: 'capacity' | 'config' = 'capacity'): void => {
      for (let look = 0; live()?.status !== 'launching' && look < 50; look++) {
        const { id, externalKey, retryAt } = live() ?? fleet.replica(ID);
        if (retryAt !== null) fleet.later(Date.parse(retryAt) - fleet.nowMs).settle();
        const { attempt } = fleet.replica(id).discovery;
        const found = {
          externalKey,
          replicaId: id,
          adapter: 'skypilot',
          attempt,
          outcome: 'absent',
          detail: '',
        } as const;
        fleet.given(stream.resource(externalKey), 'davit.resource.discovered', found).later(16_000).settle();
      }
      const { id, externalKey } = live() ?? fleet.replica(ID);
      const refusal = { externalKey, replicaId: id, adapter: 'skypilot', attempt: 1, class: failure, detail: 'no' };
      fleet.given(stream.resource(externalKey), 'davit.resource.launch-refused', refusal).settle();
      fleet.proveGone(id);
    };
    const rounds = (count: number): void => {
      for (let round = 0; round < count; round++) refuse();
    };

    it('tell of one wait, since its first refusal, however many replicas it took', () => {
      rounds(5);
      expect(fleet.nowMs).toBeLessThan(Date.UTC(2026, 0, 1, 1));
      expect(longWait()).toEqual([]);
      rounds(5);
      expect(fleet.nowMs).toBeGreaterThan(Date.UTC(2026, 0, 1, 1));
      expect(longWait()).toEqual([['waiting-long', SLOT, 'warning']]);
      expect(wanted().at(-1)?.detail).toMatch(/since 2026-01-01T00:00:16\.000Z; launches refused meanwhile: 10$/);
    });
    it('end with a replica that is ready', () => {
      rounds(10);
      fleet.bringUp(live()?.id ?? ID);
      expect(longWait()).toEqual([]);
    });
    it('end with a start that fails for another reason', () => {
      rounds(10);
      refuse('config');
      expect(longWait()).toEqual([]);
    });
    it('end when the slot is no longer wanted', () => {
      rounds(10);
      fleet.declare({ replicas: 0 }).settle();
      expect(longWait()).toEqual([]);
    });
    it('end when the slot is no longer wanted while its last replica is proven gone', () => {
      rounds(10);
      const stuck = fleet.replicasOf(KEY).find(isLive)?.id ?? ID;
      const failure = { reason: 'x', class: 'capacity', detail: '', hadServed: false } as const;
      const { placement } = fleet.deployment(KEY).refusals.at(-1) ?? { placement: null };
      fleet.given(stream.replica(stuck), 'davit.replica.failed', { replicaId: stuck, placement, ...failure }).settle();
      expect(fleet.deployment(KEY).waits).toHaveProperty('1/0');
      fleet.declare({ replicas: 0 }).settle().proveGone(stuck);
      expect(fleet.deployment(KEY).waits).toEqual({});
      expect(longWait()).toEqual([]);
    });
    it('end when another revision serves', () => {
      fleet.bringUp(ID);
      expect(fleet.deployment(KEY).activeRevision).toBe(1);
      // What heals it is refused, and the next is still to come when another revision takes over.
      fleet.later(20 * MINUTE).die(ID);
      rounds(1);
      const heals = live()?.id ?? ID;
      const deferred = { replicaId: heals, reason: 'x', retryAt: new Date(fleet.nowMs).toISOString(), evidence: [] };
      const { placement } = fleet.deployment(KEY).refusals.at(-1) ?? { placement: null };
      const failure = { reason: 'x', class: 'capacity', detail: '', hadServed: false } as const;
      fleet.given(stream.replica(heals), 'davit.replica.deferred', deferred);
      fleet.given(stream.replica(heals), 'davit.replica.failed', { replicaId: heals, placement, ...failure });
      fleet.declare({ model: 'Qwen/Qwen3-14B' }).settle();
      expect(fleet.deployment(KEY).waits).toHaveProperty('1/0');
      fleet.bringUp(`${KEY}-2-0-1`);
      expect(fleet.deployment(KEY).activeRevision).toBe(2);
      expect(fleet.deployment(KEY).waits).toEqual({});
    });
    it('go on when the deployment is declared anew with the same template', () => {
      rounds(10);
      fleet.declare({ replicas: 2 }).settle();
      expect(longWait()).toEqual([['waiting-long', SLOT, 'warning']]);
    });
    it('are looked at again at once when a user asks to try again', () => {
      rounds(10);
      while (live()?.status !== 'deferred') {
        const { externalKey, id, discovery } = live() ?? fleet.replica(ID);
        const found = { externalKey, replicaId: id, adapter: 'skypilot', detail: '' } as const;
        const name = stream.resource(externalKey);
        fleet.given(name, 'davit.resource.discovered', { ...found, attempt: discovery.attempt, outcome: 'absent' });
        fleet.later(16_000).settle();
      }
      expect(fleet.later(1_000).retry()).toMatchObject({ outcome: 'accepted' });
      fleet.settle();
      expect(live()).toMatchObject({ status: 'requested', discovery: { outcome: 'pending' } });
    });
  });

  describe('as a level', () => {
    const alarm = { alarm: 'deletion-stuck', about: ID, severity: 'critical', detail: 'x' } as const;
    const wish = { ...alarm, tenant: 'default' };
    const raised: AlarmState = { ...wish, since: '2026-01-01T00:00:00.000Z' };

    it('law-08: are raised once, told anew when they say something else, and cleared once', () => {
      expect(decideAlarms([wish], [])).toEqual([
        { tenant: 'default', stream: 'fleet/alarms', events: [{ type: 'davit.fleet.alarm-raised', data: alarm }] },
      ]);
      expect(decideAlarms([wish], [raised])).toEqual([]);
      expect(decideAlarms([{ ...wish, detail: 'y' }], [raised])).toHaveLength(1);
      expect(decideAlarms([], [raised])).toMatchObject([
        { events: [{ type: 'davit.fleet.alarm-cleared', data: { alarm: 'deletion-stuck', about: ID } }] },
      ]);
      expect(decideAlarms([], [])).toEqual([]);
    });

    it('are left alone when others raised them, and written for each tenant apart', () => {
      expect(decideAlarms([], [{ ...raised, alarm: 'fleet-frozen' }])).toEqual([]);
      const changes = decideAlarms([wish, { ...wish, tenant: 'acme', about: 'acme/chat-1-0-1' }], []);
      expect(changes.map(({ tenant, events }) => [tenant, events.length])).toEqual([
        ['default', 1],
        ['acme', 1],
      ]);
    });
  });

  it('tells of a pause that lasts, and not of what it holds back', () => {
    fleet.pause('a look at the nodes');
    fleet.later(DEFAULT_PATIENCE.waitMs - 1).settle();
    expect(names()).toEqual([]);
    fleet.later(1);
    expect(wanted()).toMatchObject([{ alarm: 'waiting-long', about: KEY, severity: 'warning' }]);
    expect(wanted()[0]?.detail).toContain('a look at the nodes');
    fleet.resume();
    expect(names().filter(([, about]) => about === KEY)).toEqual([]);
  });
});
