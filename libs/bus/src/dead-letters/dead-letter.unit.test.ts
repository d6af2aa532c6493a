import { describe, expect, it } from '@jest/globals';
import { headers } from 'nats';
import { type DeadLetter, deadLetterHeaders, headersOf, readDeadLetter } from './dead-letter.js';

const letter: DeadLetter = {
  kind: 'poison',
  reason: 'payload is not JSON',
  stream: 'INTENTS',
  streamSequence: 7,
  subject: 'davit.intent.deployment.apply',
  consumer: 'spec-api-intents',
  deliveries: 2,
  storedAtMs: 1_767_225_600_123,
  headers: { 'Nats-Msg-Id': ['m-1'], trace: ['a', 'b'] },
  payload: new Uint8Array([0, 255, 10]),
};

describe('a dead letter', () => {
  it('is read back as it was written, payload byte for byte', () => {
    expect(readDeadLetter({ headers: deadLetterHeaders(letter, 10_000), data: letter.payload })).toEqual(letter);
  });

  it('carries no header of the original that the broker would act upon', () => {
    const written = deadLetterHeaders(letter, 10_000);
    expect(written.get('Nats-Msg-Id')).toBe('');
    expect(written.get('Davit-Original-Nats-Msg-Id')).toBe('m-1');
  });

  it('keeps its facts, and drops original headers, when there is no room for all', () => {
    const read = readDeadLetter({ headers: deadLetterHeaders(letter, 40), data: letter.payload });
    expect(read).toEqual({ ...letter, headers: { 'Nats-Msg-Id': ['m-1'] } });
  });

  it('states a reason of many lines in one, cut to a bounded length', () => {
    const long = { ...letter, reason: `first\r\nsecond\n${'x'.repeat(5_000)}` };
    const reason = readDeadLetter({ headers: deadLetterHeaders(long, 10_000), data: letter.payload })?.reason;
    expect(reason).toMatch(/^first second x+$/);
    expect(reason).toHaveLength(500);
  });

  it('is not seen in other messages', () => {
    expect(readDeadLetter({ data: letter.payload })).toBeUndefined();
    expect(readDeadLetter({ headers: headers(), data: letter.payload })).toBeUndefined();
  });

  it('keeps every value of a header', () => {
    const several = headers();
    several.append('a', '1');
    several.append('a', '2');
    expect(headersOf(several)).toEqual({ a: ['1', '2'] });
    expect(headersOf(undefined)).toEqual({});
  });
});
