import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@davit/contracts';
import { KEY, ROLLOUT, RolloutStage } from '../rollout/testing/stage.js';
import { checkLaws } from './index.js';

const OTHER = 'f'.repeat(64);

/** A candidate that is accepted with an operator's word; nothing in it breaks a law of rollouts. */
function accepted(): readonly RecordedEvent[] {
  const stage = new RolloutStage()
    .serving()
    .declare({ templateHash: 'b'.repeat(32) })
    .settle();
  stage.until('awaiting-approval').word('approved').until('over');
  return stage.events;
}

/** The rules of laws 2, 9 and 15 that are about rollouts; other laws have tests of their own. */
const isRuleOfRollouts = ({ law, about }: { readonly law: string; readonly about: string }): boolean =>
  about === ROLLOUT && ['law-02', 'law-09', 'law-15'].includes(law.slice(0, 6));

type Change = (event: RecordedEvent) => readonly RecordedEvent[];
const without =
  (type: RecordedEvent['type']): Change =>
  (event) =>
    event.type === type ? [] : [event];
/** What is said in these events, otherwise; histories of this kind cannot be written, so they are made from one that can. */
const saying =
  (type: RecordedEvent['type'], data: object): Change =>
  (event) =>
    event.type === type ? [{ ...event, data: { ...event.data, ...data } } as RecordedEvent] : [event];

const broken = (change: Change, ended = false) =>
  checkLaws(accepted().flatMap(change), { ended })
    .filter((found) => isRuleOfRollouts(found))
    .map(({ law, message }) => `${law.slice(0, 6)}: ${message}`);

const approvalOf = (): { readonly eventId: string; readonly evidenceDigest: string } => {
  const update = accepted().find((event) => event.type === 'davit.rollout.update-attempted');
  if (update?.type !== 'davit.rollout.update-attempted') throw new Error(`no update of ${KEY}`);
  return update.data.approval;
};

describe('the laws of rollouts', () => {
  it('are kept by one that is approved, judged and accepted', () => {
    expect(broken((event) => [event], true)).toEqual([]);
  });

  it.each<readonly [string, Change, string]>([
    [
      'production changed without a question',
      without('davit.rollout.approval-requested'),
      'law-02: changes production without having asked',
    ],
    [
      'production changed on other evidence than was asked with',
      saying('davit.rollout.approval-requested', { evidenceDigest: OTHER }),
      'law-02: changes production on other evidence than it asked with',
    ],
    [
      'an approval that nobody gave',
      without('davit.deployment.rollout-approved'),
      'law-02: cites an approval that is none of this evidence',
    ],
    [
      'an approval of another rollout',
      saying('davit.deployment.rollout-approved', { rolloutId: `${KEY}-9-1` }),
      'law-02: cites an approval that is none of this evidence',
    ],
    [
      'the declaration in the place of a word that was asked for',
      saying('davit.rollout.update-attempted', { approval: { ...approvalOf(), by: 'declaration' } }),
      'law-02: changes production without the approval that it needs',
    ],
    [
      'an answer without an attempt',
      without('davit.rollout.update-attempted'),
      'law-02: update-triggered without an attempt before it',
    ],
    [
      'a question whose deadline had passed',
      saying('davit.rollout.approval-requested', { deadlineAt: '2020-01-01T00:00:00.000Z' }),
      'law-09: its deadline 2020-01-01T00:00:00.000Z had passed when it was set',
    ],
    [
      'a removal whose deadline had passed',
      saying('davit.rollout.canary-removal-requested', { deadlineAt: '2020-01-01T00:00:00.000Z' }),
      'law-09: its deadline 2020-01-01T00:00:00.000Z had passed when it was set',
    ],
    [
      'an end while the canary may bill',
      without('davit.rollout.canary-removed'),
      'law-09: is over while its canary may bill',
    ],
    [
      'steps after the end',
      (event) =>
        event.type === 'davit.rollout.accepted' ? [event, { ...event, position: event.position + 0.5 }] : [event],
      'law-09: goes on after it was over',
    ],
    [
      'acceptance without a verdict',
      without('davit.rollout.verdict-reached'),
      'law-15: accepted without a verdict that says so',
    ],
    [
      'acceptance against its verdict',
      saying('davit.rollout.verdict-reached', { verdict: 'wait' }),
      'law-15: accepted without a verdict that says so',
    ],
    [
      'acceptance on another bundle than its verdict rests on',
      saying('davit.rollout.verdict-reached', { bundleDigest: OTHER }),
      'law-15: accepted on another bundle than its verdict rests on',
    ],
    [
      'a verdict that does not say why it was no other',
      saying('davit.rollout.verdict-reached', {
        rejectedAlternatives: [
          { verdict: 'wait', because: '' },
          { verdict: 'wait', because: '' },
        ],
      }),
      'law-15: does not say why it was no other verdict',
    ],
  ])('forbid %s', (_, change, expected) => {
    expect(broken(change)).toContain(expected);
  });

  it('forbid one that never came to its end, and a canary that was never proven gone', () => {
    const unfinished: Change = (event) =>
      event.type === 'davit.rollout.accepted' || event.type === 'davit.rollout.canary-removed' ? [] : [event];
    expect(broken(unfinished, true)).toEqual(
      expect.arrayContaining(['law-09: began, and never came to an end', 'law-09: its canary was never proven gone']),
    );
    expect(broken(unfinished, false)).toEqual([]);
  });

  it('forbid a declaration as approval only where a word was asked for', () => {
    const stage = new RolloutStage().serving().declare({ templateHash: 'b'.repeat(32), approval: 'none' });
    const { events } = stage.settle().until('over');
    const about = (changed: readonly RecordedEvent[]) =>
      checkLaws(changed, { ended: false }).flatMap((found) => (isRuleOfRollouts(found) ? [found.message] : []));
    expect(about(events)).toEqual([]);
    expect(about(events.flatMap(saying('davit.rollout.approval-requested', { required: true })))).toEqual([
      'changes production without the approval that it needs',
    ]);
  });
});
