import { beforeAll, describe, expect, test } from '@jest/globals';
import { digestOf } from '@davit/domain';
import { type EvidenceStore, InvalidEvidenceError, MAX_EVIDENCE_BYTES } from '../evidence/store.js';

const START_MS = 1_800_000_000_000;

const sample = (index: number) => ({
  ...{ scheduledAtMs: START_MS + index, sentAtMs: START_MS + index, latencyMs: 12.5, queueMs: null },
  ...({ outcome: 'ok', workerId: '7', workersRevision: 'candidate', outputTokens: 3 } as const),
});

/** A ramp of one step, which may be told from others by its attempt. */
export const loadRun = (attempt: number, samples = 3) => ({
  version: 1,
  profileDigest: 'a'.repeat(64),
  ramp: 1,
  attempt,
  steps: [{ requestsPerSecond: 2, fromMs: START_MS, toMs: START_MS + 1_000, workers: { idle: 1 }, spend: null }],
  samples: Array.from({ length: samples }, (_, index) => sample(index)),
});

/** What every evidence store must do, so that simulation and production mean the same. */
export function evidenceConformance(name: string, open: () => Promise<EvidenceStore>): void {
  describe(name, () => {
    let store: EvidenceStore;
    beforeAll(async () => {
      store = await open();
    });

    test('what was put is read back by the SHA-256 of its canonical JSON', async () => {
      const kept = await store.put('load-run', loadRun(1));
      expect(kept).toEqual({ kind: 'load-run', digest: digestOf(loadRun(1)), value: loadRun(1) });
      expect(await store.get(kept.digest)).toEqual(kept);
    });

    test('a digest that was never put has no evidence', async () => {
      expect(await store.get('f'.repeat(64))).toBeUndefined();
    });

    test('equal values are one, in whatever order their fields stand and however often they are put', async () => {
      const turned = Object.fromEntries(Object.entries(loadRun(2)).reverse());
      const puts = await Promise.all([loadRun(2), turned, loadRun(2)].map((value) => store.put('load-run', value)));
      expect(new Set(puts.map(({ digest }) => digest)).size).toBe(1);
    });

    test('other values have other digests, and stay beside one another', async () => {
      const [one, two] = [await store.put('load-run', loadRun(3)), await store.put('load-run', loadRun(4))];
      expect(one.digest).not.toBe(two.digest);
      expect([await store.get(one.digest), await store.get(two.digest)]).toEqual([one, two]);
    });

    test('fields that the schema does not name are dropped before anything is kept', async () => {
      const [first] = loadRun(5).samples;
      const leaky = {
        ...loadRun(5),
        apiKey: 'sk-planted',
        samples: [{ ...first, prompt: 'who am I', signature: 'c2ln' }],
      };
      const kept = await store.put('load-run', leaky);
      expect(kept.digest).toBe(digestOf(loadRun(5, 1)));
      expect(JSON.stringify(await store.get(kept.digest))).not.toMatch(/sk-planted|who am I|c2ln/);
    });

    test('a field that is wrong refuses the whole by its path, without quoting it', async () => {
      const wrong = store.put('load-run', { ...loadRun(6), steps: [], profileDigest: 'sk-planted' });
      await expect(wrong).rejects.toThrow(InvalidEvidenceError);
      await expect(wrong).rejects.toThrow(/profileDigest.*steps|steps.*profileDigest/);
      await expect(wrong).rejects.not.toThrow(/sk-planted/);
    });

    test('words of an answer are refused', async () => {
      const observed = {
        ...{ probe: 'p', shape: null, model: null, finishReason: null, outputTokens: 1 },
        text: 'Paris',
      };
      const policy = { expectedModel: null, lengthBand: { atLeast: 0.5, atMost: 2 }, minSimilarity: 0, minProbes: 1 };
      const candidate = {
        ...{ version: 1, externalKey: 'dv-canary', template: null, loadMs: 1, readinessMs: 1, responseSchema: 'chat' },
        ...{ outputs: [], contract: { policy, recorded: [], observed: [observed] } },
      };
      await expect(store.put('candidate', candidate)).rejects.toThrow(/contract.observed.0.text: holds words/);
    });

    test('what is larger than the bound is refused, and what is just below it is kept', async () => {
      const bytes = (samples: number) => JSON.stringify(loadRun(7, samples)).length;
      const each = (bytes(200) - bytes(100)) / 100;
      const most = Math.floor(MAX_EVIDENCE_BYTES / each);
      await expect(store.put('load-run', loadRun(7, most + 1_000))).rejects.toThrow(/bytes, 16777216 are allowed/);
      const { digest } = await store.put('load-run', loadRun(7, most - 1_000));
      expect((await store.get(digest))?.kind).toBe('load-run');
    });
  });
}
