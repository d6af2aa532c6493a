import { expect, test } from '@jest/globals';
import { AppendWatch } from './append-watch.js';

test('a failed append is told with its reason until one succeeds', () => {
  const watch = new AppendWatch();
  expect(watch.check(0).ok).toBe(true);
  watch.note(1_000, new Error('No space left on device'));
  expect(watch.check(1_500)).toMatchObject({
    required: false,
    ok: false,
    detail: { reason: 'No space left on device', ageMs: 500 },
  });
  watch.note(2_000, undefined);
  expect(watch.check(2_500)).toMatchObject({ ok: true, detail: {} });
});
