import { describe, expect, test } from '@jest/globals';
import type { NewEvent, RecordedEvent } from '@davit/contracts';
import { type Attempts, DELIVERY_RULES, type DeliveryOutcome, afterAttempt } from './attempt.js';
import { redeliver, removeWebhook, resumeWebhook } from './orders.js';
import { type WebhookState, evolveWebhook } from './state.js';
import { targetObjection } from './target.js';

const own = { webhookId: 'abcdefghijkl', tenants: 'all' } as const;
const registered: NewEvent = {
  type: 'davit.webhook.registered',
  data: {
    ...own,
    name: 'billing',
    url: 'https://hooks.example.org/',
    filter: {},
    secret: { env: 'DAVIT_WEBHOOK_SECRET_BILLING' },
    after: 7,
  },
};
const letter = (eventPosition: number): NewEvent => ({
  type: 'davit.webhook.dead-lettered',
  data: {
    ...own,
    eventPosition,
    eventId: '00000000-0000-7000-8000-000000000001',
    eventType: 'davit.replica.ready',
    attempts: 8,
    status: 422,
    detail: 'no',
  },
});

function given(...events: readonly NewEvent[]): WebhookState {
  const state = events.reduce<WebhookState | undefined>((before, event, index) => {
    const envelope = { time: '2026-01-01T00:00:00.000Z', version: index + 1, actor: 'ci' };
    return evolveWebhook(before, { ...envelope, ...event } as unknown as RecordedEvent);
  }, undefined);
  if (!state) throw new Error('nothing was registered');
  return state;
}

describe('a webhook', () => {
  test('begins where it was told to, and its place only moves on', () => {
    expect(given(registered)).toMatchObject({ status: 'active', cursor: 7, delivered: 0, createdBy: 'ci' });
    const progressed = (upTo: number, delivered: number): NewEvent => ({
      type: 'davit.webhook.progressed',
      data: { ...own, upTo, delivered },
    });
    expect(given(registered, progressed(20, 3), progressed(12, 1))).toMatchObject({ cursor: 20, delivered: 4 });
  });

  test('keeps its dead letters until they are taken after all', () => {
    const webhook = given(registered, letter(9), letter(11));
    expect(webhook.cursor).toBe(11);
    const decision = redeliver(webhook, [9]);
    if (decision.outcome !== 'accepted') throw new Error(decision.detail);
    const asked = given(registered, letter(9), letter(11), ...decision.events);
    expect(asked.deadLetters.map(({ again }) => again)).toEqual([true, false]);
    expect(redeliver(asked, [9])).toEqual({ outcome: 'accepted', events: [] });
    const taken: NewEvent = { type: 'davit.webhook.redelivered', data: { ...own, eventPosition: 9 } };
    const after = given(registered, letter(9), letter(11), ...decision.events, taken);
    expect(after.deadLetters.map(({ eventPosition }) => eventPosition)).toEqual([11]);
    expect(redeliver(after, [9])).toMatchObject({ outcome: 'refused', code: 'not-found' });
  });

  test('a dead letter that fails once more stands once, not asked for', () => {
    const again: NewEvent = { type: 'davit.webhook.redelivery-requested', data: { ...own, positions: [9] } };
    const webhook = given(registered, letter(9), again, letter(9));
    expect(webhook.deadLetters).toHaveLength(1);
    expect(webhook.deadLetters[0]?.again).toBe(false);
  });

  test('is suspended, resumed and removed, and what is removed stays so', () => {
    const suspended: NewEvent = { type: 'davit.webhook.suspended', data: { ...own, reason: 'gone', detail: '410' } };
    const webhook = given(registered, suspended);
    expect(webhook).toMatchObject({ status: 'suspended', suspended: { reason: 'gone' } });
    const resumed = resumeWebhook(webhook);
    if (resumed.outcome !== 'accepted') throw new Error(resumed.detail);
    expect(given(registered, suspended, ...resumed.events)).toMatchObject({ status: 'active', suspended: null });
    expect(resumeWebhook(given(registered))).toEqual({ outcome: 'accepted', events: [] });
    const removal = removeWebhook(webhook, 'moved');
    if (removal.outcome !== 'accepted') throw new Error(removal.detail);
    const removed = given(registered, ...removal.events);
    expect(removed.status).toBe('removed');
    expect(removeWebhook(removed, 'again')).toEqual({ outcome: 'accepted', events: [] });
    expect(resumeWebhook(removed)).toMatchObject({ outcome: 'refused', code: 'webhook-removed' });
  });
});

describe('what follows an attempt', () => {
  const first: Attempts = { sent: 1, answered: 1, failingForMs: 0, deadLettersInRow: 0 };
  const decide = (outcome: DeliveryOutcome, so: Partial<Attempts> = {}) =>
    afterAttempt(outcome, { ...first, ...so }, DELIVERY_RULES);

  test('an event that is answered and not taken is tried again ever later, and at last is a dead letter', () => {
    const refused = { kind: 'refused', status: 500 } as const;
    expect(decide(refused)).toEqual({ do: 'retry', afterMs: 1_000 });
    expect(decide(refused, { sent: 4, answered: 4 })).toEqual({ do: 'retry', afterMs: 8_000 });
    expect(decide(refused, { sent: 8, answered: 8 })).toMatchObject({ do: 'dead-letter', status: 500 });
  });

  test('a receiver that takes nothing of many in a row is suspended instead of emptying the log into dead letters', () => {
    const so = { sent: 8, answered: 8, deadLettersInRow: 10 };
    expect(decide({ kind: 'refused', status: 400 }, so)).toMatchObject({ do: 'suspend', reason: 'refusing' });
  });

  test('a receiver that does not answer is waited for and makes no dead letter, until a day is over', () => {
    const away = { kind: 'unreachable', why: 'refused' } as const;
    expect(decide(away, { sent: 400, answered: 0 })).toEqual({ do: 'retry', afterMs: 300_000 });
    const late = decide(away, { sent: 400, answered: 0, failingForMs: 86_400_000 });
    expect(late).toMatchObject({ do: 'suspend', reason: 'unreachable' });
  });

  test('a busy receiver says itself when to come again, within bounds', () => {
    expect(decide({ kind: 'busy', status: 429, retryAfterMs: 30_000 })).toEqual({ do: 'retry', afterMs: 30_000 });
    expect(decide({ kind: 'busy', status: 503, retryAfterMs: 1e12 })).toEqual({ do: 'retry', afterMs: 300_000 });
    expect(decide({ kind: 'busy', status: 503, retryAfterMs: null })).toEqual({ do: 'retry', afterMs: 1_000 });
  });

  test('a receiver that is gone for good is suspended at once', () => {
    expect(decide({ kind: 'gone', status: 410 })).toMatchObject({ do: 'suspend', reason: 'gone' });
  });
});

describe('addresses that events go to', () => {
  test.each([
    ['https://hooks.example.org/davit', undefined],
    ['http://localhost:8080/', undefined],
    ['http://[::1]:8080/', undefined],
    ['http://billing.internal/', undefined],
    ['http://hooks.example.org/', 'is not encrypted'],
    ['https://ci:secret@hooks.example.org/', 'holds credentials'],
    ['https://hooks.example.org/#x', 'has a fragment, which is never sent'],
    ['http://169.254.169.254/latest', '169.254.169.254 is an address that nothing is sent to'],
    ['https://[fe80::1]/', '[fe80::1] is an address that nothing is sent to'],
    ['ftp://hooks.example.org/', 'is not an address of HTTP'],
    ['hooks', 'is not an address of HTTP'],
  ])('%s: %s', (address, message) => {
    expect(targetObjection(address, ['billing.internal'])?.message).toBe(message);
  });
});
