import assert from 'node:assert/strict';
import { externalKeyOf } from '@davit/domain';
import type { ProviderBackend } from '../backend.js';
import type { TestFramework } from './harness.js';

/** No cloud is known to cut a name that is as short as this. */
const MAX_KEY_LENGTH = 26;
const KEYS = 100_000;

let keys: readonly string[] | undefined;

/** Names of a hundred thousand lives of replicas. */
function manyKeys(): readonly string[] {
  keys ??= Array.from({ length: KEYS }, (_, index) =>
    externalKeyOf(
      { deployment: 'default/qwen', revision: 1 + (index % 10), ordinal: index % 100, incarnation: index },
      'test',
    ),
  );
  return keys;
}

/** What every backend must do before it is asked anything: names and promises. Needs no provider. */
export function backendIdentityConformance(
  { describe, test }: TestFramework,
  name: string,
  makeBackend: () => ProviderBackend,
): void {
  describe(`backend identity: ${name}`, () => {
    test('a key has one name, in every process and for ever', () => {
      const [one, other] = [makeBackend(), makeBackend()];
      for (const key of manyKeys().slice(0, 100)) {
        assert.deepEqual(one.identify(key), other.identify(key));
        assert.deepEqual(one.identify(key), one.identify(key));
      }
      return Promise.resolve();
    });

    test('a name begins with its key, which is short enough that nobody cuts it', () => {
      const backend = makeBackend();
      for (const key of manyKeys().slice(0, 100)) {
        const identity = backend.identify(key);
        assert.equal(identity.externalKey, key);
        assert.ok(identity.name.startsWith(key));
        assert.ok(key.length <= MAX_KEY_LENGTH, `${key} has ${key.length} characters`);
      }
      return Promise.resolve();
    });

    test('a hundred thousand keys have as many names, also where a provider cuts them after 35 characters', () => {
      const backend = makeBackend();
      const names = new Set(manyKeys().map((key) => backend.identify(key).name.slice(0, 35)));
      assert.equal(names.size, KEYS);
      return Promise.resolve();
    });

    test('it can do what it promises, and promises what it can do', () => {
      const backend = makeBackend();
      assert.equal('advise' in backend, backend.capabilities.advice, 'advice');
      assert.equal('reap' in backend, backend.releases !== true, 'what is ours to delete can be ended one by one');
      return Promise.resolve();
    });
  });
}
