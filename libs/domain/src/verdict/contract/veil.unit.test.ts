import { expect, test } from '@jest/globals';
import { readEvidence } from '@davit/contracts';
import fc from 'fast-check';
import { goodBundle } from '../testing/bundles.js';
import { compareOutputs } from './compare.js';
import { type ContractEvidence, DEFAULT_CONTRACT_POLICY, type OutputObservation } from './observation.js';
import { similarityOf } from './similarity.js';
import { veiledContract } from './veil.js';

const output = (probe: string, text: string | null): OutputObservation => ({
  ...{ probe, text, shape: null, model: 'm', finishReason: 'stop', outputTokens: 3 },
});
const contract = (recorded: readonly (string | null)[], observed: readonly (string | null)[]): ContractEvidence => ({
  policy: DEFAULT_CONTRACT_POLICY,
  recorded: recorded.map((text, index) => output(`p${index}`, text)),
  observed: observed.map((text, index) => output(`p${index}`, text)),
});
const textsOf = ({ recorded, observed }: ContractEvidence) => [...recorded, ...observed].map(({ text }) => text);

const prose = fc
  .array(fc.constantFrom('The', 'the', 'sky', 'is', 'blue', 'naïve', 'cafe\u0301', '42', '再见', '😀', ',', '-'), {
    maxLength: 12,
  })
  .map((words) => words.join(' '));

test('veiled texts are as similar as the texts were, and no letter of them is left', () => {
  fc.assert(
    fc.property(prose, prose, (was, is) => {
      const [left, right] = textsOf(veiledContract(contract([was], [is])));
      expect(similarityOf(left ?? '', right ?? '')).toBe(similarityOf(was, is));
      expect(`${left} ${right}`).not.toMatch(/\p{L}|\p{M}|😀/u);
    }),
  );
});

test('veiling what is veiled changes nothing', () => {
  const text = fc.oneof(prose, fc.json(), fc.constant(null));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), fc.array(text, { maxLength: 4 }), (recorded, observed) => {
      const once = veiledContract(contract(recorded, observed));
      expect(veiledContract(once)).toEqual(once);
    }),
  );
});

test('a text that was structured is held to its structure, without its words', () => {
  const recorded = ['{"city":"Paris","population":2100000}'];
  const same = veiledContract(contract(recorded, ['{"city":"Rome","population":2800000}']));
  const gone = veiledContract(contract(recorded, ['{"city":"Rome"}']));
  expect(textsOf(same).join()).not.toMatch(/Paris|Rome|city|2100000/);
  const breaks = (veiled: ContractEvidence) =>
    compareOutputs(veiled).differences.filter(({ what }) => what === 'answer-schema').length;
  expect([breaks(same), breaks(gone)]).toEqual([0, 1]);
});

test('the store takes a bundle only when its texts are veiled', () => {
  const bundle = goodBundle();
  expect(readEvidence('verdict-bundle', bundle).ok).toBe(false);
  const veiled = { ...bundle, contract: bundle.contract && veiledContract(bundle.contract) };
  expect(readEvidence('verdict-bundle', veiled)).toEqual({ ok: true, value: veiled });
});
