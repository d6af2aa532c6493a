import { expect, test } from '@jest/globals';
import { InvalidAppendError } from '../errors.js';
import type { AppendContext, EventLog } from '../event-log.js';
import { appendTo, context, write } from './fixtures.js';

/** Part of the conformance suite: streams that an append rests on without writing them. */
export function requirements(log: () => EventLog): void {
  const requiring = (...requires: readonly { stream: string; version: number }[]): AppendContext => ({
    ...context,
    requires,
  });

  test('an append whose required streams stand where they must is written, and leaves them as they are', async () => {
    await appendTo(log(), 'fleet/read', 0, 2);
    const given = requiring({ stream: 'fleet/read', version: 2 }, { stream: 'fleet/absent', version: 0 });
    expect(await log().append([write('fleet/a', 0)], given)).toMatchObject({ outcome: 'appended' });
    expect(await log().readStream('fleet/read')).toHaveLength(2);
    expect(await log().readStream('fleet/absent')).toEqual([]);
  });

  test.each([
    ['has grown', 1, 2],
    ['is shorter', 3, 2],
    ['should not exist', 0, 2],
  ])(
    'an append whose required stream %s writes nothing and names it with both versions',
    async (_, expected, actual) => {
      await appendTo(log(), 'fleet/read', 0, actual);
      const given = requiring({ stream: 'fleet/other', version: 0 }, { stream: 'fleet/read', version: expected });
      expect(await log().append([write('fleet/a', 0), write('fleet/b', 'any')], given)).toEqual({
        outcome: 'wrong-version',
        stream: 'fleet/read',
        expected,
        actual,
      });
      expect(await log().head()).toBe(2);
    },
  );

  test('a requirement sees what came before it in the same moment, and its refusal leaves its neighbours alone', async () => {
    const results = await Promise.all([
      log().append([write('fleet/a', 0)], requiring({ stream: 'fleet/read', version: 0 })),
      appendTo(log(), 'fleet/read', 0),
      log().append([write('fleet/b', 0)], requiring({ stream: 'fleet/read', version: 0 })),
      log().append([write('fleet/c', 0)], requiring({ stream: 'fleet/read', version: 1 })),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['appended', 'appended', 'wrong-version', 'appended']);
    expect((await log().read(0, 10)).map(({ stream }) => stream)).toEqual(['fleet/a', 'fleet/read', 'fleet/c']);
  });

  test('a command that was carried out is a duplicate, whatever has become of the streams it required', async () => {
    const given: AppendContext = {
      ...requiring({ stream: 'fleet/read', version: 0 }),
      idempotency: { key: 'k', fingerprint: 'f' },
    };
    await log().append([write('fleet/a', 0)], given);
    await appendTo(log(), 'fleet/read', 0);
    expect(await log().append([write('fleet/a', 0)], given)).toMatchObject({ outcome: 'duplicate' });
  });

  test('a command refused for a required stream leaves its key free', async () => {
    const keyed = (version: number): AppendContext => ({
      ...requiring({ stream: 'fleet/read', version }),
      idempotency: { key: 'k', fingerprint: 'f' },
    });
    expect(await log().append([write('fleet/a', 0)], keyed(1))).toMatchObject({ outcome: 'wrong-version' });
    expect(await log().append([write('fleet/a', 0)], keyed(0))).toMatchObject({ outcome: 'appended' });
  });

  test.each([
    ['also writes', [{ stream: 'fleet/a', version: 0 }]],
    [
      'requires twice',
      [
        { stream: 'fleet/b', version: 0 },
        { stream: 'fleet/b', version: 0 },
      ],
    ],
    ['names without a category', [{ stream: 'nothing', version: 0 }]],
    ['names with a NUL', [{ stream: 'fleet/a\0', version: 0 }]],
    ['requires at a fraction', [{ stream: 'fleet/b', version: 0.5 }]],
    ['requires at less than nothing', [{ stream: 'fleet/b', version: -1 }]],
  ])('a stream that the append %s is refused as a requirement', async (_, requires) => {
    const bad = log().append([write('fleet/a', 0)], requiring(...requires));
    await expect(bad).rejects.toBeInstanceOf(InvalidAppendError);
    expect(await log().head()).toBe(0);
  });
}
