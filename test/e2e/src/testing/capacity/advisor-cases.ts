import { beforeAll, expect, test } from '@jest/globals';
import type { Stage } from './stage.js';

/** Each failure on a card of its own, whose shown level would keep a launch waiting if it were believed. */
const FAILURES = [
  ['out-of-order', 'L40S', 'NVIDIA%20L40S', { kind: 'status', status: 503 }],
  ['rejected-key', 'MI300X', 'AMD%20Instinct%20MI300X%20OAM', { kind: 'status', status: 401, body: '{"status":401}' }],
  ['rate-limited', 'RTX4090', 'NVIDIA%20GeForce%20RTX%204090', { kind: 'status', status: 429, retryAfterSeconds: 5 }],
  ['page', 'RTX3090', 'NVIDIA%20GeForce%20RTX%203090', { kind: 'malformed', how: 'garbage' }],
  ['cut-short', 'RTXA5000', 'NVIDIA%20RTX%20A5000', { kind: 'malformed', how: 'truncate' }],
  ['silent', 'RTXA4000', 'NVIDIA%20RTX%20A4000', { kind: 'hang' }],
] as const;

const ALWAYS = 100_000;

export function advisorCases(stage: Stage): void {
  beforeAll(async () => {
    const { rig, market } = stage();
    for (const [, card, id, effect] of FAILURES) {
      await rig.world.setStock(card, 12, { shownLevel: 'NONE' });
      await rig.world.addFault({ service: 'runpod', verb: `GET */gpus/${id}`, count: ALWAYS, effect });
    }
    await rig.world.setStock('H100-SXM', 12, { shownLevel: 'VERY_LOW' });
    await Promise.all([
      ...FAILURES.map(([name, card]) => market.apply({ name, placements: [`${card}:1`] })),
      market.apply({ name: 'new-word', placements: ['H100-SXM:1'] }),
    ]);
  });

  test.each([...FAILURES.map(([name]) => name), 'new-word'])(
    'law-04: %s makes stock unknown, which blocks nothing',
    async (name) => {
      const { market } = stage();
      const key = `default/${name}`;
      await market.serving(key, 1);
      const [placed] = await market.events('davit.replica.placed', key);
      expect(placed?.data.evidence).toMatchObject([{ state: 'unknown', verdict: 'chosen' }]);
      expect(await market.events('davit.replica.deferred', key)).toEqual([]);
    },
  );

  test('a word for stock that nobody has seen is kept as it was said', async () => {
    const { market } = stage();
    await market.serving('default/new-word', 1);
    const [assessed] = await market.events('davit.capacity.assessed', 'default/new-word');
    expect(JSON.stringify(assessed?.data.signal)).toContain('VERY_LOW');
    expect(assessed?.data.signal.state).toBe('unknown');
  });

  test('what failed is told once for each source that turned from answering to failing, without the key', async () => {
    const { market } = stage();
    const failures = (await market.log()).filter(({ type }) => type === 'davit.capacity.advice-failed');
    expect(failures.length).toBeGreaterThan(0);
  });
}
