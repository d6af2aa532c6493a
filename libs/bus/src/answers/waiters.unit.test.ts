import { describe, expect, it } from '@jest/globals';
import { headers } from 'nats';
import { intentDigest, isKeyed } from './digest.js';
import { type EarlyOutcome, WaitingRoom } from './waiters.js';

const outcome = (id: string, isKeyed = false, expiresAtMs = 100): EarlyOutcome => ({
  id,
  digest: 'd',
  body: new Uint8Array(),
  isProblem: false,
  isKeyed,
  expiresAtMs,
});

describe('the waiting room of intents', () => {
  it('gives all who wait for a digest out once', () => {
    const room = new WaitingRoom();
    room.wait('d', { reply: 'r1', expiresAtMs: 100 });
    room.wait('d', { reply: 'r2', expiresAtMs: 100 });
    room.wait('other', { reply: 'r3', expiresAtMs: 100 });
    expect(room.takeWaiters('d', 0).map((waiter) => waiter.reply)).toEqual(['r1', 'r2']);
    expect(room.takeWaiters('d', 0)).toEqual([]);
    expect(room.waiting).toBe(1);
  });

  it('gives nothing to those whose time is over, and counts only those who had asked', () => {
    const room = new WaitingRoom();
    room.wait('d', { reply: 'asked', expiresAtMs: 10 });
    room.wait('d', { reply: undefined, expiresAtMs: 10 });
    room.wait('d', { reply: 'later', expiresAtMs: 50 });
    expect(room.sweep(20)).toBe(1);
    expect(room.takeWaiters('d', 20).map((waiter) => waiter.reply)).toEqual(['later']);
  });

  it('gives an early outcome once, and a keyed one as often as asked', () => {
    const room = new WaitingRoom();
    room.keep(outcome('plain'));
    expect(room.takeEarly('d', 0)?.id).toBe('plain');
    expect(room.takeEarly('d', 0)).toBeUndefined();
    room.keep(outcome('keyed', true));
    expect([room.takeEarly('d', 0)?.id, room.takeEarly('d', 0)?.id]).toEqual(['keyed', 'keyed']);
    expect(room.takeEarly('d', 100)).toBeUndefined();
  });

  it('drops an outcome that another instance has passed on, unless it may be given again', () => {
    const room = new WaitingRoom();
    room.keep(outcome('plain'));
    room.drop('plain');
    expect(room.takeEarly('d', 0)).toBeUndefined();
    room.keep(outcome('keyed', true));
    room.drop('keyed');
    expect(room.takeEarly('d', 0)?.id).toBe('keyed');
  });

  it('keeps a bounded number of early outcomes, the newest', () => {
    const room = new WaitingRoom();
    for (let index = 0; index <= 2_000; index++) room.keep({ ...outcome(`o${index}`), digest: `d${index}` });
    expect(room.takeEarly('d0', 0)).toBeUndefined();
    expect(room.takeEarly('d1', 0)?.id).toBe('o1');
    expect(room.takeEarly('d2000', 0)?.id).toBe('o2000');
  });
});

describe('the digest of an intent', () => {
  const body = new TextEncoder().encode('{}');
  const keyed = (name: string, value: string) => {
    const result = headers();
    result.set(name, value);
    return result;
  };

  it('differs by subject, payload and idempotency headers, and by nothing else', () => {
    const plain = intentDigest('a', body, undefined);
    expect(intentDigest('a', body, headers())).toBe(plain);
    expect(intentDigest('a', body, keyed('traceparent', 'x'))).toBe(plain);
    const others = [
      intentDigest('b', body, undefined),
      intentDigest('a', new TextEncoder().encode('[]'), undefined),
      intentDigest('a', body, keyed('Nats-Msg-Id', 'x')),
      intentDigest('a', body, keyed('Idempotency-Key', 'x')),
    ];
    expect(new Set([plain, ...others]).size).toBe(5);
  });

  it('is that of a repeatable intent only when the broker drops repetitions', () => {
    expect(isKeyed(keyed('Nats-Msg-Id', 'x'))).toBe(true);
    expect(isKeyed(keyed('Idempotency-Key', 'x'))).toBe(false);
    expect(isKeyed(undefined)).toBe(false);
  });
});
