import { describe, expect, test } from '@jest/globals';
import type { ReplicaView } from '@davit/contracts';
import { whyText } from './views.js';

const row = (state: string, waitsUntil: string | null): ReplicaView =>
  ({ state, why: 'because', waitsUntil }) as ReplicaView; // only what the text reads

describe('why a replica is as it is', () => {
  test.each([
    ['waiting', 'because; next look 16:42:10'],
    ['launching', 'because; gives up 16:42:10'],
    ['loading', 'because; gives up 16:42:10'],
    ['draining', 'because; is ended 16:42:10'],
  ])('a replica that is %s says what happens at the end of its wait', (state, text) => {
    expect(whyText(row(state, '2026-11-29T16:42:10.000Z'))).toBe(text);
  });

  test('nothing is added where nothing is waited for', () => {
    expect(whyText(row('serving', null))).toBe('because');
  });
});
