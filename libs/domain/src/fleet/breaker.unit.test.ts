import { describe, expect, it } from '@jest/globals';
import { stream } from '@davit/contracts';
import { checkLaws } from '../laws/index.js';
import { evolveAlarm } from '../lifecycle/evolve-fleet.js';
import type { AlarmState } from '../lifecycle/state.js';
import { DEFAULT_REPLICA_TIMINGS, decideReplica } from '../replica/decide.js';
import { History, exampleDeployment } from '../testing/history.js';
import { Life } from '../testing/life.js';
import type { Decision } from '../decision.js';
import { decideFleet } from './decide.js';
import type { FleetView } from './illness.js';
import { DEFAULT_LOSS_LIMITS } from './limits.js';

const INTENT = '00000000-0000-7000-8000-000000000001';
const { intervalMs, settleMs, freezeLimitMs } = DEFAULT_LOSS_LIMITS;

/** A fleet that serves, and the deciders of orchestrator over it. */
class Fleet extends History {
  readonly lives: readonly Life[];
  observerIll = false;
  constructor(size: number) {
    super();
    this.given('deployment/default/qwen', 'davit.deployment.declared', {
      intentId: INTENT,
      generation: 1,
      revision: 1,
      templateDigest: 'a'.repeat(64),
      spec: exampleDeployment({ replicas: size }),
    });
    this.lives = Array.from({ length: size }, (_, ordinal) => new Life(this, { ordinal }).serves());
    this.later(2 * intervalMs);
  }
  get view(): FleetView {
    const { observerIll } = this;
    return { state: this.fleet(), suspects: this.suspects(), observerIll, limits: DEFAULT_LOSS_LIMITS };
  }
  look(life: Life): Decision {
    const deployment = this.deployment('default/qwen');
    return decideReplica(this.replica(life.id), deployment, this.nowMs, DEFAULT_REPLICA_TIMINGS, this.view);
  }
  /** Each replica is decided on once, then the fleet. */
  pass(calmSinceMs?: number): this {
    for (const life of this.lives) this.apply(this.look(life).writes);
    return this.apply(decideFleet(this.view, calmSinceMs, this.nowMs).writes);
  }
  sicken(count: number): this {
    for (const life of this.lives.slice(0, count)) {
      life.unready();
      this.later(-1_000);
    }
    return this;
  }
  recover(): this {
    for (const life of this.lives) life.proven();
    return this;
  }
  order(): this {
    return this.given(stream.fleetOrders, 'davit.fleet.thaw-ordered', { intentId: INTENT, reason: 'power cut' });
  }
  get givenUp(): number {
    return this.events.filter(({ type }) => type === 'davit.replica.failed').length;
  }
  get story(): string[] {
    return this.events.filter(({ type }) => type.startsWith('davit.fleet.')).map(({ type }) => type.slice(12));
  }
  get alarms(): AlarmState[] {
    let alarm: AlarmState | undefined;
    for (const event of this.events) alarm = evolveAlarm(alarm, event);
    return alarm ? [alarm] : [];
  }
}

describe('a death among many that serve', () => {
  it('is believed once the others had time to fall ill beside it, and counted in the same append', () => {
    const fleet = new Fleet(12).sicken(1).pass();
    expect(fleet.givenUp).toBe(0);
    fleet.later(settleMs).pass();
    expect(fleet.story).toEqual(['replica-lost']);
    expect(fleet.fleet()).toMatchObject({ serving: 11, losses: [{ replicaId: fleet.lives[0]?.id }] });
  });
  it('is believed at once in a fleet too small to freeze, however many die', () => {
    const fleet = new Fleet(3).sicken(3).pass().pass();
    expect(fleet.givenUp).toBe(3);
    expect(fleet.story).not.toContain('frozen');
  });
  it('never freezes the fleet, one after the other', () => {
    const fleet = new Fleet(12);
    for (const life of fleet.lives) {
      life.unready();
      fleet.pass().later(settleMs).pass().later(intervalMs);
    }
    expect(fleet.givenUp).toBe(12);
    expect(fleet.story).not.toContain('frozen');
  });
});

describe('many deaths at once', () => {
  it('freeze the fleet before one is believed, with an alarm that says what to do', () => {
    const fleet = new Fleet(12).sicken(4).pass().later(settleMs).pass().later(intervalMs).pass();
    expect(fleet.givenUp).toBe(0);
    expect(fleet.story).toEqual(['frozen', 'alarm-raised']);
    expect(fleet.alarms).toEqual([
      expect.objectContaining({ alarm: 'fleet-frozen', severity: 'critical', detail: expect.stringContaining('thaw') }),
    ]);
  });
  it('are believed while they stay within the share of a large fleet', () => {
    const fleet = new Fleet(40).sicken(10).pass().later(settleMs).pass();
    expect(fleet.givenUp).toBe(10);
    const more = new Fleet(40).sicken(11).pass().later(settleMs).pass();
    expect(more.givenUp).toBe(0);
  });
  it('count with the losses before them', () => {
    const fleet = new Fleet(12).sicken(3).pass().later(settleMs).pass();
    expect(fleet.givenUp).toBe(3);
    fleet.lives[3]?.unready();
    fleet.pass().later(settleMs).pass();
    expect(fleet.givenUp).toBe(3);
    expect(fleet.fleet().frozen).not.toBeNull();
  });
  it('count from the first look that does not find them, long before their absence is proven', () => {
    const fleet = new Fleet(12);
    for (const life of fleet.lives.slice(0, 4)) life.absent();
    expect(fleet.pass().fleet().frozen).not.toBeNull();
  });
  it('are counted one at a time when many controllers see them in the same state', () => {
    const fleet = new Fleet(200).sicken(200);
    // Each controller sees only the death it is asked about: the fleet's list of suspects has not reached it.
    const blind = { ...fleet.view, suspects: [] };
    fleet.later(settleMs);
    let refused = 0;
    const decide = (id: string, view: FleetView): Decision =>
      decideReplica(fleet.replica(id), fleet.deployment('default/qwen'), fleet.nowMs, DEFAULT_REPLICA_TIMINGS, view);
    for (const { id } of fleet.lives) {
      const decision = decide(id, blind);
      try {
        fleet.apply(decision.writes);
      } catch {
        refused += 1;
      }
    }
    expect(refused).toBe(199);
    expect(fleet.givenUp).toBe(1);
    for (const { id } of fleet.lives) fleet.apply(decide(id, { ...fleet.view, suspects: [] }).writes);
    expect(fleet.givenUp).toBe(50);
    expect(checkLaws(fleet.events, { ended: false })).toEqual([]);
  });
});

describe('an observer that says that it is ill', () => {
  it('law-12: is not believed where it alone reaches nobody, not even of a single replica', () => {
    const fleet = new Fleet(12).sicken(1);
    fleet.observerIll = true;
    fleet.later(settleMs).pass().later(intervalMs).pass();
    expect(fleet.givenUp).toBe(0);
    fleet.observerIll = false;
    expect(fleet.pass().givenUp).toBe(1);
  });
  it('is believed where the provider says the same, and where somebody called the deaths real', () => {
    const gone = new Fleet(12);
    gone.observerIll = true;
    gone.lives[0]?.unready().absent();
    gone.later(settleMs).pass();
    expect(gone.givenUp).toBe(1);
    const ordered = new Fleet(12).sicken(12).pass().order().pass();
    ordered.observerIll = true;
    expect(ordered.later(1_000).pass().givenUp).toBe(12);
  });
});

describe('a frozen fleet', () => {
  const frozen = (size = 12, ill = 12): Fleet => new Fleet(size).sicken(ill).pass();

  it('thaws once it was well for an interval, and has lost nothing', () => {
    const fleet = frozen().recover();
    const calmSinceMs = fleet.nowMs;
    fleet.later(intervalMs - 1).pass(calmSinceMs);
    expect(fleet.fleet().frozen).not.toBeNull();
    fleet.later(1).pass(calmSinceMs);
    expect(fleet.story).toEqual(['frozen', 'alarm-raised', 'thawed', 'alarm-cleared']);
    expect(fleet.givenUp).toBe(0);
    expect(fleet.alarms).toEqual([]);
    expect(checkLaws(fleet.events, { ended: false })).toEqual([]);
  });
  it('gives up nobody while it lasts, not even the one that is ill alone', () => {
    const fleet = frozen();
    for (const life of fleet.lives.slice(1)) life.proven();
    fleet.later(intervalMs).pass(fleet.nowMs).later(settleMs).pass(fleet.nowMs);
    expect(fleet.givenUp).toBe(0);
    fleet.pass(fleet.nowMs - intervalMs).pass();
    expect(fleet.givenUp).toBe(1);
  });
  it('gives up what was ill when somebody says that the deaths are real, and only that', () => {
    const fleet = frozen(20, 12).order().pass().later(1_000).pass();
    expect(fleet.givenUp).toBe(12);
    expect(fleet.fleet()).toMatchObject({ frozen: null, serving: 8, losses: [] });
    for (const life of fleet.lives.slice(12)) life.unready();
    fleet.pass().later(settleMs).pass();
    expect(fleet.givenUp).toBe(12);
    expect(fleet.fleet().frozen).not.toBeNull();
    expect(checkLaws(fleet.events, { ended: false })).toEqual([]);
  });
  it('gives up what is still ill when the freeze has lasted as long as it may', () => {
    const fleet = frozen()
      .later(freezeLimitMs - 1)
      .pass();
    expect(fleet.givenUp).toBe(0);
    fleet.later(1).pass().pass();
    expect(fleet.givenUp).toBe(12);
    expect(fleet.events.find(({ type }) => type === 'davit.fleet.thawed')?.data).toMatchObject({ why: 'time-limit' });
    expect(checkLaws(fleet.events, { ended: false })).toEqual([]);
  });
  it('holds the deletion of what was given up just before, until the user deletes the deployment', () => {
    const fleet = new Fleet(12).sicken(3).later(settleMs);
    for (const life of fleet.lives.slice(0, 3)) fleet.apply(fleet.look(life).writes);
    for (const life of fleet.lives.slice(3)) life.unready();
    fleet.apply(decideFleet(fleet.view, undefined, fleet.nowMs).writes);
    const lost = fleet.lives.slice(0, 3);
    expect(lost.map(({ id }) => fleet.replica(id).status)).toEqual(['failed', 'failed', 'failed']);
    for (const life of lost) expect(fleet.look(life).writes).toEqual([]);
    fleet.given('deployment/default/qwen', 'davit.deployment.deletion-requested', { intentId: INTENT });
    for (const life of lost) expect(fleet.look(life).writes).toHaveLength(1);
  });
  it('does not end a start because the provider shows it dead, and does when the provider refuses it', () => {
    const fleet = frozen();
    const start = (ordinal: number): Life => new Life(fleet, { ordinal }).requested().discovered().launchRequested();
    const dead = start(12).launched().absent().absent().confirmed();
    expect(fleet.look(dead).writes).toEqual([]);
    const refused = start(13).fact('launch-attempted', { attempt: 1, placement: null, leaseEpoch: 1 });
    refused.fact('launch-refused', { attempt: 1, class: 'capacity', detail: '' });
    expect(fleet.look(refused).writes).toHaveLength(1);
    fleet.order().apply(decideFleet(fleet.view, undefined, fleet.nowMs).writes);
    expect(fleet.look(dead).writes).toHaveLength(1);
  });
});
