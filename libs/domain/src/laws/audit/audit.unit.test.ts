import { describe, expect, it } from '@jest/globals';
import { type NewEvent, stream } from '@davit/contracts';
import { History, exampleDeployment } from '../../testing/history.js';
import { Life, Orphan } from '../../testing/life.js';
import { DEFAULT_LAW_OPTIONS, type LawOptions, type Violation } from '../index.js';
import { AUDIT_RULES, auditLog } from './index.js';

const INTENT = '00000000-0000-7000-8000-000000000001';
const KEY = 'default/qwen';
const { graceMs } = DEFAULT_LAW_OPTIONS;

/** A history whose deployment is declared on an accepted intent. */
class Told extends History {
  received(): this {
    const asked = { verb: 'apply', channel: 'http', idempotencyKey: null, contentDigest: 'a'.repeat(64) } as const;
    return this.given(`intent/${INTENT}`, 'davit.intent.received', { intentId: INTENT, ...asked });
  }
  accepted(): this {
    return this.given(`intent/${INTENT}`, 'davit.intent.accepted', { intentId: INTENT, changed: true });
  }
  declared(): this {
    const made = { generation: 1, revision: 1, templateDigest: 'a'.repeat(64), spec: exampleDeployment() };
    return this.given(stream.deployment(KEY), 'davit.deployment.declared', { intentId: INTENT, ...made });
  }
  begun(): this {
    return this.received().accepted().declared();
  }
  ordered(type: 'deletion-requested' | 'retry-requested'): this {
    // Both hold nothing but the intent.
    const event = { type: `davit.deployment.${type}`, data: { intentId: INTENT } } as NewEvent;
    return this.append(stream.deployment(KEY), event);
  }
  deploymentDeleted(): this {
    return this.given(stream.deployment(KEY), 'davit.deployment.deleted', { generation: 1 });
  }
  get life(): Life {
    return new Life(this);
  }
}

function alarmed<Any extends History>(history: Any, about: string): Any {
  const data = { alarm: 'slow', severity: 'warning', about, detail: '' } as const;
  return history.given(stream.fleetAlarms, 'davit.fleet.alarm-raised', data);
}

function audited(history: History, ended = false, options: Partial<LawOptions> = {}): Violation[] {
  const log = auditLog(options);
  return [...history.events.flatMap((event) => log.see(event)), ...log.end(ended)];
}
const found = (history: History): string[] => [...new Set(audited(history).map(({ law }) => law))];

describe('an audit of a log', () => {
  it('finds nothing in a whole life that somebody wished for', () => {
    const told = new Told().begun();
    told.life.serves().registered().withdrawn().goes();
    const orphan = new Orphan(told).found('auto', 0).deleteAttempted().deleteAccepted();
    orphan.absent().absent().confirmed();
    told.ordered('deletion-requested').deploymentDeleted();
    expect(audited(told, true)).toEqual([]);
  });
  it('has rules of different names', () => {
    expect(new Set(AUDIT_RULES.map(({ name }) => name)).size).toBe(AUDIT_RULES.length);
  });
});

describe('audit-mutations-without-intent', () => {
  it.each([
    ['a declaration on an intent that nobody accepted', () => new Told().received().declared()],
    ['an order on an intent that nobody accepted', () => new Told().declared().ordered('retry-requested')],
    ['a deployment that ends by itself', () => new Told().begun().deploymentDeleted()],
    ['a replica of nothing', () => new Told().life.requested().history],
    ['a launch that nobody asked for', () => new Told().begun().life.requested().launched().history],
    [
      'a deletion that nobody asked for',
      () => new Told().begun().life.serves().fact('delete-attempted', { attempt: 1, leaseEpoch: 1 }).history,
    ],
    ['an orphan without approval', () => new Orphan(new Told()).found('approve').deleteAttempted().history],
  ])('finds %s', (_, tell) => {
    expect(found(tell())).toContain('audit-mutations-without-intent');
  });
});

describe('audit-intents-without-outcome', () => {
  const begun = (): Told => new Told().begun();
  const CASES: readonly (readonly [string, () => History, string])[] = [
    ['an intent without an answer', () => new Told().received(), INTENT],
    ['a deletion that does not end', () => begun().ordered('deletion-requested'), KEY],
    ['a launch that was never attempted', () => begun().life.requested().launchRequested().history, `${KEY}-1-0-1`],
    [
      'a launch without a known outcome',
      () =>
        begun()
          .life.requested()
          .launchRequested()
          .fact('launch-attempted', { attempt: 1, placement: null, leaseEpoch: 1 }).history,
      `${KEY}-1-0-1`,
    ],
    ['a replica left in failed', () => begun().life.serves().failed().history, `${KEY}-1-0-1`],
    ['a replica whose deletion does not end', () => begun().life.serves().deleteRequested().history, `${KEY}-1-0-1`],
  ];
  it.each(CASES)('finds %s, once it is older than the grace', (_, tell) => {
    const young = tell().later(graceMs - 60_000);
    new Life(young, { ordinal: 9 }).lost();
    expect(found(young)).not.toContain('audit-intents-without-outcome');
    const old = tell().later(graceMs + 60_000);
    new Life(old, { ordinal: 9 }).lost();
    expect(found(old)).toContain('audit-intents-without-outcome');
  });
  it.each(CASES)('is quiet about %s when an alarm names it', (_, tell, name) => {
    const old = tell().later(graceMs + 60_000);
    expect(found(alarmed(old, `about ${name}.`))).not.toContain('audit-intents-without-outcome');
    expect(audited(old, true).map(({ law }) => law)).toContain('audit-intents-without-outcome');
  });
  it('does not take the alarm of another for its own', () => {
    const old = begun()
      .life.serves()
      .deleteRequested()
      .history.later(graceMs + 60_000);
    expect(found(alarmed(old, `${KEY}-1-0-12`))).toContain('audit-intents-without-outcome');
  });
  it('cites the position at which it was begun', () => {
    const old = alarmed(
      begun()
        .ordered('deletion-requested')
        .later(graceMs + 60_000),
      'else',
    );
    expect(audited(old)).toEqual([expect.objectContaining({ position: 4, about: KEY })]);
  });
});

describe('audit-overlapping-owners', () => {
  it('finds two owners of one thing, and cites both', () => {
    const told = new Told().begun();
    told.life.requested().requested();
    expect(audited(told)).toEqual([
      expect.objectContaining({ law: 'audit-overlapping-owners', position: 5, evidence: [4] }),
    ]);
  });
  it('finds two that have one place', () => {
    const told = new Told().begun();
    told.life.serves();
    new Life(told, { incarnation: 2 }).requested();
    expect(found(told)).toEqual(['audit-overlapping-owners']);
  });
});

describe('audit-routes-without-proof', () => {
  it('finds a route to what nothing proves', () => {
    const told = new Told().begun();
    told.life.requested().registered();
    expect(found(told)).toEqual(['audit-routes-without-proof']);
  });
  it('finds one that outlived its proof, once that is older than the grace', () => {
    const told = new Told().begun();
    told.life.serves().registered().unready();
    expect(found(told)).toEqual([]);
    alarmed(told.later(graceMs), 'else');
    expect(found(told)).toEqual(['audit-routes-without-proof']);
  });
});
