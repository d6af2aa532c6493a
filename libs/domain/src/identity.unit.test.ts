import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { externalKeyIn, externalKeyOf, externalKeyPrefix, parseReplicaId, replicaIdOf } from './identity.js';

const identity = fc.record({
  deployment: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}[a-z0-9]\/[a-z][a-z0-9-]{0,30}[a-z0-9]$/),
  revision: fc.integer({ min: 1, max: 99_999 }),
  ordinal: fc.integer({ min: 0, max: 999 }),
  incarnation: fc.integer({ min: 1, max: 99_999 }),
});

describe('identity of a replica', () => {
  it('can be read back from its id, also for names that end in numbers', () => {
    fc.assert(fc.property(identity, (one) => expect(parseReplicaId(replicaIdOf(one))).toEqual(one)));
  });
  it('gives a key that every cloud takes unshortened', () => {
    fc.assert(
      fc.property(identity, (one) => expect(externalKeyOf(one, 'davit')).toMatch(/^dv-[a-z2-7]{5}-[a-z2-7]{17}$/)),
    );
  });
  it('gives different keys to different incarnations and installations', () => {
    const keys = new Set<string>();
    for (let incarnation = 1; incarnation <= 2_000; incarnation++) {
      for (const installation of ['a', 'b'])
        keys.add(externalKeyOf({ deployment: 'default/q', revision: 1, ordinal: 0, incarnation }, installation));
    }
    expect(keys.size).toBe(4_000);
  });
  it('begins with what tells one installation from another', () => {
    const one = { deployment: 'default/q', revision: 1, ordinal: 0, incarnation: 1 };
    expect(externalKeyOf(one, 'a').startsWith(externalKeyPrefix('a'))).toBe(true);
    expect(externalKeyPrefix('a')).not.toBe(externalKeyPrefix('b'));
  });
  it('is read back from any name that goes on from it, and from no other name', () => {
    fc.assert(
      fc.property(identity, fc.constantFrom('-0badcafe-head', '-sa-1a2b3c4d-head', '-'), (one, rest) => {
        const key = externalKeyOf(one, 'davit');
        expect(externalKeyIn(`${key}${rest}`)).toBe(key);
        for (const other of [key, `${key}x${rest}`, `x${key}${rest}`, `${key.slice(0, -1)}${rest}`])
          expect(externalKeyIn(other)).toBeUndefined();
      }),
    );
  });
});
