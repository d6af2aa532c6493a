import { describe, expect, test } from '@jest/globals';
import { isAcceptable } from './acceptable.js';
import { isHeld } from './conditional.js';
import { LoadGate } from './load-gate.js';

describe('what a client takes', () => {
  test.each([
    [undefined, true],
    ['', true],
    ['*/*', true],
    ['application/*', true],
    ['Application/JSON; charset=utf-8', true],
    ['text/html, application/json;q=0.5', true],
    ['application/problem+json', true],
    ['text/html', false],
    ['application/json;q=0', false],
    ['application/json; q=0.00, text/*', false],
  ])('%j: %s', (accept, taken) => {
    expect(isAcceptable(accept)).toBe(taken);
  });

  test('may be an event stream', () => {
    expect(isAcceptable('text/event-stream', ['text/event-stream'])).toBe(true);
    expect(isAcceptable('application/json', ['text/event-stream'])).toBe(false);
  });
});

describe('what a client has already', () => {
  test.each([
    [undefined, false],
    ['"7-a"', true],
    ['W/"7-a"', true],
    ['"6-b", "7-a"', true],
    ['*', true],
    ['"7-b"', false],
    ['7-a', false],
  ])('%j: %s', (header, held) => {
    expect(isHeld(header, '"7-a"')).toBe(held);
  });
});

describe('the gate', () => {
  const limits = { maxReads: 1, maxIntents: 2, maxLoopDelayMs: 100 };

  test('takes as many of each class as it has room for, and one more when one has left', () => {
    const gate = new LoadGate(limits, () => 0);
    const first = gate.admit('read');
    expect(gate.admit('read')).toEqual({ admitted: false, why: '1 reads are in work, and no more are taken' });
    expect(gate.admit('intent').admitted).toBe(true);
    if (first.admitted) {
      first.leave();
      first.leave();
    }
    expect(gate.admit('read').admitted).toBe(true);
    expect(gate.admit('read').admitted).toBe(false);
  });

  test.each([
    [100, true, true],
    [101, false, true],
    [400, false, true],
    [401, false, false],
  ])('%i ms behind, it takes reads: %s, intents: %s', (late, reads, intents) => {
    const gate = new LoadGate(limits, () => late);
    expect([gate.admit('read').admitted, gate.admit('intent').admitted]).toEqual([reads, intents]);
  });
});
