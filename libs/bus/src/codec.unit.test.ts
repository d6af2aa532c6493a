import { expect, test } from '@jest/globals';
import { decodeJson, decodeRequest } from './codec.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a request that holds a key twice is refused with its name, and any other is read as it is', () => {
  const twice = bytes('{"deployment": {"name": "a", "name": "b"}}');
  expect(decodeRequest(twice)).toEqual({ ok: false, reason: expect.stringContaining('the key "name" twice') });
  const once = bytes('{"deployment": {"name": "a"}, "name": "b"}');
  expect(decodeRequest(once)).toEqual(decodeJson(once));
  expect(decodeRequest(bytes('{'))).toMatchObject({ ok: false, reason: expect.stringContaining('not JSON') });
});
