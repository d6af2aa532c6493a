import { describe, expect, test } from '@jest/globals';
import { LoadRig, prompt, TARGET } from '../../load/testing/load-rig.js';
import { sample, type SampleBook } from './sampler.js';

const pace = { lookMs: 500, requestDeadlineMs: 10_000 };
const question = {
  ...{ target: TARGET, prompts: [prompt('a')] as const, requestsPerSecond: 4, windowMs: 2_000, windows: 6 },
};
const never = (): Promise<null> => Promise.resolve(null);

describe('production seen through requests of our own', () => {
  test('windows touch one another, however long a look at the workers takes', async () => {
    const rig = new LoadRig();
    rig.worker();
    const { parts } = rig;
    let looks = 0;
    const slow = {
      ...parts,
      client: {
        ...{ route: parts.client.route, charges: parts.client.charges, instances: parts.client.instances },
        workers: {
          ofEndpoint: async (id: number) => {
            await rig.after(137 * (looks++ % 5), { kind: 'failure', reason: 'reset', detail: '' });
            return parts.client.workers.ofEndpoint(id);
          },
        },
      },
      pace,
    } as unknown as Parameters<typeof sample>[0];
    const book: SampleBook = { sampled: [] };
    await rig.drive(sample(slow, question, book, never));
    const [first] = book.sampled;
    expect(book.sampled.map(({ fromMs, toMs }) => [fromMs, toMs].map((ms) => ms - (first?.fromMs ?? 0)))).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => [index * 2_000, (index + 1) * 2_000]),
    );
    expect(book.sampled.map(({ window }) => [window?.requests, window?.ok])).toEqual(
      Array.from({ length: 6 }, () => [8, 8]),
    );
  });

  test('ends when it is told to, and what was cut short is no window', async () => {
    const rig = new LoadRig();
    rig.worker();
    const book: SampleBook = { sampled: [] };
    const state: { words: string | null } = { words: null };
    rig.at(7_500, () => (state.words = 'it is not needed any more'));
    const ordered = (): Promise<string | null> => Promise.resolve(state.words);
    await rig.drive(sample({ ...rig.parts, pace }, { ...question, windows: Infinity }, book, ordered));
    expect(book.sampled.filter(({ window }) => window !== null)).toHaveLength(2);
    expect(book.sampled.at(-1)?.window).toBeNull();
  });
});
