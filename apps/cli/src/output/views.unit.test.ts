import { describe, expect, test } from '@jest/globals';
import type { ReplicaView } from '@davit/contracts';
import { replicasTable, whyText } from './views.js';

const DEADLINE = '2026-11-29T16:42:10.000Z';
const NOW_MS = Date.parse('2026-11-29T16:41:00.000Z');
const row = (reason: string | null, deadline: string | null, duplicates: readonly string[] = []): ReplicaView =>
  ({
    why: 'because',
    wait: reason === null ? null : { reason, since: DEADLINE, deadline, next: '' },
    duplicates,
    expectedReadyAt: null,
  }) as unknown as ReplicaView; // only what the text reads

describe('why a replica is as it is', () => {
  test.each([
    ['capacity', 'because; next look 16:42:10'],
    ['budget', 'because; next look 16:42:10'],
    ['launch-unresolved', 'because; gives up 16:42:10'],
    ['starting', 'because; gives up 16:42:10'],
    ['draining', 'because; is ended 16:42:10'],
    ['deleting', 'because; alarm 16:42:10'],
  ])('a replica that waits for %s says what happens at the end of its wait', (reason, text) => {
    expect(whyText(row(reason, DEADLINE), NOW_MS)).toBe(text);
  });

  test('a start says how long those before it make it likely to take, and when it takes longer than they did', () => {
    const starting = { ...row('starting', DEADLINE), expectedReadyAt: '2026-11-29T16:41:40.000Z' };
    expect(whyText(starting, NOW_MS)).toBe('because; gives up 16:42:10; about 40s left');
    expect(whyText(starting, NOW_MS + 40_000)).toBe('because; gives up 16:42:10; takes longer than starts before it');
  });

  test('what else carries its name is told', () => {
    expect(whyText(row(null, null, ['k@1']), NOW_MS)).toBe('because; 1 more of this name: davit orphans');
  });

  test('nothing is added where nothing is waited for, or only a person ends the wait', () => {
    expect(whyText(row(null, null), NOW_MS)).toBe('because');
    expect(whyText(row('quarantined', null), NOW_MS)).toBe('because');
  });
});

test.each([
  [true, /dv-k3fqa-abc/],
  [false, /^(?!.*dv-)/s],
])('with --wide %s, the name at the provider is shown or not', (wide, text) => {
  const known = { id: 'default/a-1-0-1', externalKey: 'dv-k3fqa-abc', since: DEADLINE, placement: null, price: null };
  const shown = { ...row(null, null), tenant: 'default', state: 'serving', ...known };
  expect(replicasTable([shown as unknown as ReplicaView], Date.parse(DEADLINE), wide)).toMatch(text);
});
