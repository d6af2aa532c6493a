import { expect, test } from '@jest/globals';
import { eventually } from './eventually.js';

test('it resolves to the first value that is neither false nor undefined', async () => {
  const answers = [undefined, false, 0] as const;
  let calls = 0;
  expect(await eventually(() => answers[calls++], { everyMs: 1 })).toBe(0);
});

test('it gives up with the last error of the check', async () => {
  await expect(
    eventually(
      () => {
        throw new Error('still wrong');
      },
      { timeoutMs: 5, everyMs: 1 },
    ),
  ).rejects.toThrow('still wrong');
});
