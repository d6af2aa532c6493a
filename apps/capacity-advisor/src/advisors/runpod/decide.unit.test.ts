import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { HttpFailure, HttpOutcome } from '@davit/ports';
import fc from 'fast-check';
import { decideStock } from './decide.js';
import { questionFor } from './question.js';

type Case = {
  readonly row: string;
  readonly change?: object;
  readonly remove?: readonly string[];
  readonly status?: number;
  readonly body?: string;
  readonly network?: HttpFailure;
  readonly count?: number;
  readonly region?: string;
  readonly spot?: boolean;
  readonly expect: object;
};

const cases = JSON.parse(
  readFileSync(new URL('./fixtures/decisions.json', import.meta.url), 'utf8'),
) as readonly Case[]; // a golden file of ours

const ENTRY: Readonly<Record<string, unknown>> = {
  id: 'NVIDIA L40S',
  name: 'L40S',
  pool: 'ADA_48_PRO',
  manufacturer: 'NVIDIA',
  memory: 48,
  secure: true,
  community: true,
  price: { secure: 0.86, community: 0.79 },
  maxCount: { secure: 8, community: 4 },
  availability: 'HIGH',
};

const ask = ({
  count = 1,
  region = null,
  spot = false,
}: {
  count?: number;
  region?: string | null;
  spot?: boolean;
}) => {
  const accelerator = { name: 'L40S', count };
  const asked = questionFor({ cloud: 'runpod', region, accelerator, spot, maxHourlyPrice: null });
  if (!('question' in asked)) throw new Error(asked.impossible);
  return asked.question;
};

const answered = (status: number, body: string): HttpOutcome => ({ kind: 'response', status, headers: {}, body });

function outcomeOf({ change, remove = [], status = 200, body, network }: Case): HttpOutcome {
  if (network !== undefined) return { kind: 'failure', reason: network, detail: 'x' };
  const entry = Object.fromEntries(Object.entries({ ...ENTRY, ...change }).filter(([name]) => !remove.includes(name)));
  return answered(status, body ?? JSON.stringify(entry));
}

describe('the decision on an answer of RunPod', () => {
  it.each(cases)('follows the table: $row', (golden) => {
    const verdict = decideStock(outcomeOf(golden), ask(golden));
    expect({ failure: null, ...verdict }).toMatchObject(golden.expect);
  });

  it('says in words why, for every row of the table', () => {
    for (const golden of cases) expect(decideStock(outcomeOf(golden), ask(golden)).detail).not.toBe('');
  });

  it('reads no word but the known ones as anything but unknown', () => {
    const known = new Set(['HIGH', 'MEDIUM', 'LOW', 'NONE', '']);
    const words = fc.oneof(
      fc.string(),
      fc.constantFrom('unknown', 'UNKNOWN', 'none ', 'N/A', 'AVAILABLE', 'constructor'),
    );
    fc.assert(
      fc.property(words, (word) => {
        fc.pre(!known.has(word.toUpperCase()));
        const verdict = decideStock(answered(200, JSON.stringify({ ...ENTRY, availability: word })), ask({}));
        expect(verdict).toMatchObject({ state: 'unknown', price: null, permanent: false });
      }),
    );
  });

  it('turns any status but 200, and any body that is no catalogue entry, into unknown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
        expect(decideStock(answered(status, body), ask({})).state).toBe('unknown');
      }),
    );
  });

  it('multiplies prices as decimals, exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 1, max: 8 }), (cents, count) => {
        const price = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        const body = JSON.stringify({ ...ENTRY, price: { secure: 'P' } }).replace('"P"', price);
        const verdict = decideStock(answered(200, body), ask({ count }));
        const total = cents * count;
        expect(verdict.price).toBe(`${Math.floor(total / 100)}.${String(total % 100).padStart(2, '0')}`);
      }),
    );
  });
});
