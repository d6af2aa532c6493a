import { describe, expect, it } from '@jest/globals';
import { History } from '../testing/history.js';
import { Life, Orphan, fleetEvent } from '../testing/life.js';
import { LAWS, LawChecker, type LawOptions, checkLaws } from './index.js';

/** Numbers of the laws that this history breaks. */
function broken(
  tell: (history: History) => unknown,
  options: { ended?: boolean } & Partial<LawOptions> = {},
): string[] {
  const history = new History();
  tell(history);
  return [...new Set(checkLaws(history.events, { ended: false, ...options }).map(({ law }) => law.slice(0, 6)))];
}
const life = (history: History, slot = {}): Life => new Life(history, slot);
const fleet = (history: History, replicas: number): Life[] =>
  Array.from({ length: replicas }, (_, ordinal) => life(history, { ordinal }).serves());
const lose = (lives: readonly Life[]): void => lives.forEach((one) => one.lost().failed());

describe('a history that keeps the laws', () => {
  it('breaks none, told event by event or as a whole', () => {
    const history = new History();
    life(history).serves().registered().withdrawn().goes();
    life(history, { incarnation: 2 }).serves().goes();
    const orphan = new Orphan(history).found('approve').approved().deleteAttempted().deleteAccepted();
    orphan.absent().absent().confirmed();
    expect(checkLaws(history.events, { ended: true })).toEqual([]);
    const checker = new LawChecker(LAWS);
    expect(history.events.flatMap((event) => checker.see(event))).toEqual([]);
    expect(checker.end(true)).toEqual([]);
  });

  it('may see a thing come back after it was gone, and delete it once more', () => {
    expect(broken((history) => life(history).serves().goes().seen().goes(), { ended: true })).toEqual([]);
  });

  it('is judged at the event that breaks it, and the judgement names the events it rests on', () => {
    const history = new History();
    life(history).serves();
    life(history, { incarnation: 2 }).requested();
    const checker = new LawChecker(LAWS);
    const found = history.events.flatMap((event) => checker.see(event));
    expect(found).toEqual([expect.objectContaining({ position: history.events.length, evidence: [6] })]);
    expect(history.events[5]?.type).toBe('davit.resource.launch-accepted');
  });
});

describe('law-02 for orphans', () => {
  it.each([
    ['nobody found', (orphan: Orphan) => orphan.deleteAttempted()],
    ['nobody approved', (orphan: Orphan) => orphan.found('approve').deleteAttempted()],
    ['that is only to be reported', (orphan: Orphan) => orphan.found('report').deleteAttempted()],
    ['in quarantine', (orphan: Orphan) => orphan.found('auto').deleteAttempted()],
    ['that was cleared', (orphan: Orphan) => orphan.found('auto', 0).cleared().deleteAttempted()],
  ])('forbids to delete one %s', (_, tell) => {
    expect(broken((history) => tell(new Orphan(history)))).toContain('law-02');
  });
  it('lets one go after its quarantine or with an approval', () => {
    expect(broken((history) => new Orphan(history).found('auto', 0).deleteAttempted())).toEqual([]);
    expect(broken((history) => new Orphan(history).found('approve').approved().deleteAttempted())).toEqual([]);
  });
});

describe('laws 3, 5, 6, 7 and 8 for orphans', () => {
  const found = (history: History): Orphan => new Orphan(history).found('auto', 0);
  it.each([
    ['law-03', (history: History) => found(history).deleteAttempted(), true],
    ['law-05', (history: History) => found(history).deleteAttempted().deleteAccepted().absent().confirmed(), false],
    ['law-06', (history: History) => new Orphan(history).found('report', 0, 'owner-gone'), false],
    [
      'law-06',
      (history: History) => {
        const owner = life(history).serves();
        new Orphan(history).found('report', 0, 'no-owner', owner.externalKey);
      },
      false,
    ],
    [
      'law-07',
      (history: History) => found(history).deleteAttempted(1, 5).deleteAccepted().deleteAttempted(2, 4),
      false,
    ],
    ['law-08', (history: History) => found(history).deleteAttempted().deleteAttempted(), false],
    ['law-08', (history: History) => found(history).cleared().cleared(), false],
  ] as const)('%s', (law, tell, ended) => {
    expect(broken(tell, { ended })).toEqual([law]);
  });
});

describe('law-05 wants its two observations apart', () => {
  const told = (history: History): unknown => life(history).serves().deleteRequested().absent().absent().confirmed();
  it('as far as the system that wrote the log was told to', () => {
    expect(broken(told, { absenceSpacingMs: 1_000 })).toEqual([]);
    expect(broken(told, { absenceSpacingMs: 1_001 })).toEqual(['law-05']);
  });
});

describe('law-04: unknown is a value', () => {
  it.each([
    [
      'proven absent after a look that failed',
      (one: Life) => one.serves().absent().absent().seen('unknown').confirmed(),
    ],
    [
      'a launch before anybody looked',
      (one: Life) => one.requested().replica('discovery-requested', { attempt: 1 }).launchRequested(),
    ],
    ['a launch after a look that failed', (one: Life) => one.requested().discovered('unknown').launchRequested()],
    [
      'ready without a word of its runtime',
      (one: Life) => one.requested().discovered().launchRequested().launched().ready(),
    ],
    ['ready although it was unready', (one: Life) => one.requested().launched().proven().unready().ready()],
    [
      'absent by an inventory that was not read',
      (one: Life) => one.serves().fact('absence-observed', { by: 'inventory', inventoryRows: null }),
    ],
  ])('%s', (_, tell) => {
    expect(broken((history) => tell(life(history)))).toEqual(['law-04']);
  });
  it('a look that succeeds after one that failed is evidence again', () => {
    expect(broken((history) => life(history).serves().absent().seen('unknown').absent().confirmed())).toEqual([]);
  });
  it('what happened after the position that a decision rests on is not held against it', () => {
    const history = new History();
    life(history).requested().launched().proven().unready().ready();
    const late = history.events.map((event) =>
      event.type === 'davit.replica.ready' ? { ...event, basedonposition: 4 } : event,
    );
    expect(checkLaws(late, { ended: false })).toEqual([]);
  });
});

describe('law-09: waiting is not failing', () => {
  const defer = (one: Life, inMs: number, reason = 'no stock'): Life =>
    one.replica('deferred', { reason, retryAt: new Date(one.history.nowMs + inMs).toISOString(), evidence: [] });
  const extend = (one: Life, ms: number, capMs: number): Life => {
    const at = (after: number): string => new Date(one.history.nowMs + after).toISOString();
    return one.replica('deadline-extended', { deadlineAt: at(ms), capAt: at(capMs), reason: 'it downloads' });
  };
  it.each([
    ['a wait whose end has passed', (one: Life) => defer(one.requested(), -60_000)],
    ['a wait without a reason', (one: Life) => defer(one.requested(), 60_000, '')],
    ['a failure while waiting', (one: Life) => defer(one.requested(), 60_000).failed(false, 'capacity')],
    ['a start that had no time', (one: Life) => one.requested().discovered().launchRequested(-60_000)],
    [
      'an extension past its cap',
      (one: Life) => extend(one.requested().discovered().launchRequested(), 2_000_000, 1_000_000),
    ],
    [
      'a failed replica that goes on',
      (one: Life) => one.requested().discovered().launchRequested().failed(false).proven().ready(),
    ],
  ])('%s', (_, tell) => {
    expect(broken((history) => tell(life(history)))).toEqual(['law-09']);
  });
  it('a start whose deadline passed long ago, and after which nothing followed', () => {
    const tell = (history: History): unknown => {
      life(history).requested().discovered().launchRequested(60_000);
      history.later(20 * 60_000);
      return life(history, { ordinal: 1 }).requested();
    };
    expect(broken(tell)).toEqual(['law-09']);
    expect(broken(tell, { graceMs: 30 * 60_000 })).toEqual([]);
  });
  it('nothing ends in failed', () => {
    const tell = (history: History): unknown => life(history).serves().lost().failed();
    expect(broken(tell, { ended: false })).toEqual([]);
    expect(broken(tell, { ended: true })).toEqual(['law-09']);
  });
});

describe('law-10: failure is local', () => {
  it('no incarnation takes the place of one that is not given up', () => {
    expect(broken((history) => [life(history).serves(), life(history, { incarnation: 2 }).requested()])).toEqual([
      'law-10',
    ]);
  });
  it('nor is one launched beside it that was asked for before', () => {
    const tell = (history: History): void => {
      const first = life(history).requested();
      const second = life(history, { incarnation: 2 }).requested();
      first.launched();
      second.launched();
    };
    expect(broken(tell)).toEqual(['law-10']);
  });
  it('another place, another revision, and the heir of one that failed are no overlap', () => {
    const tell = (history: History): void => {
      life(history).serves().lost().failed();
      for (const slot of [{ incarnation: 2 }, { ordinal: 1 }, { revision: 2 }]) life(history, slot).serves();
    };
    expect(broken(tell)).toEqual([]);
  });
  it('what is quarantined goes on no more, and its neighbours do', () => {
    const quarantined = (history: History): Life =>
      life(history).serves().replica('quarantined', { reason: 'odd', detail: '' });
    expect(broken((history) => [quarantined(history), life(history, { ordinal: 1 }).serves()])).toEqual([]);
    expect(broken((history) => quarantined(history).registered())).toEqual(['law-10']);
    expect(broken((history) => quarantined(history).launchRequested())).toEqual(['law-10']);
  });
});

describe('law-12: many deaths mean an ill observer', () => {
  const three = (history: History, replicas: number): Life[] => {
    const lives = fleet(history, replicas);
    lose(lives.slice(0, 3));
    return lives.slice(3);
  };
  it('a small fleet may lose three in an interval, a large one its share', () => {
    expect(broken((history) => three(history, 4))).toEqual([]);
    expect(broken((history) => lose(three(history, 4)))).toEqual(['law-12']);
    expect(broken((history) => lose(three(history, 16).slice(0, 1)))).toEqual([]);
    expect(broken((history) => lose(three(history, 16).slice(0, 2)))).toEqual(['law-12']);
  });
  it('losses count together only within the interval', () => {
    const tell = (history: History): void => {
      const rest = three(history, 4);
      history.later(60_000);
      lose(rest);
    };
    expect(broken(tell)).toEqual([]);
  });
  it('nothing is given up while the fleet is frozen, and the count starts anew when it thaws', () => {
    const tell = (thaw: boolean) => (history: History) => {
      const rest = three(history, 4);
      fleetEvent(history, 'frozen');
      if (thaw) fleetEvent(history, 'thawed');
      lose(rest);
    };
    expect(broken(tell(false))).toEqual(['law-12']);
    expect(broken(tell(true))).toEqual([]);
  });
  it('no orphan is deleted while the fleet is frozen, unless whoever did it could not know', () => {
    const history = new History();
    const orphan = new Orphan(history).found('auto', 0);
    fleetEvent(history, 'frozen');
    orphan.deleteAttempted();
    expect(checkLaws(history.events, { ended: false }).map(({ evidence }) => evidence)).toEqual([[2]]);
    const late = history.events.map((event) => (event.position === 3 ? { ...event, basedonposition: 1 } : event));
    expect(checkLaws(late, { ended: false })).toEqual([]);
  });
});
