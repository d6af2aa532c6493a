import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { HttpFailure, HttpOutcome } from '@davit/ports';
import fc from 'fast-check';
import { questionFor } from './question.js';
import { decideV2, urlOf } from './v2.js';

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

const cases = JSON.parse(readFileSync(new URL('./golden/v2.json', import.meta.url), 'utf8')) as readonly Case[]; // a golden file of ours

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
  const placement = { cloud: 'runpod', region, accelerator, spot, maxHourlyPrice: null };
  const asked = questionFor({ placement, diskGiB: null });
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
    const verdict = decideV2(outcomeOf(golden), ask(golden));
    expect({ failure: null, ...verdict }).toMatchObject(golden.expect);
  });

  it('says in words why, for every row of the table', () => {
    for (const golden of cases) expect(decideV2(outcomeOf(golden), ask(golden)).detail).not.toBe('');
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
        const verdict = decideV2(answered(200, JSON.stringify({ ...ENTRY, availability: word })), ask({}));
        expect(verdict).toMatchObject({ state: 'unknown', price: null, permanent: false });
      }),
    );
  });

  it('turns any status but 200, and any body that is no catalogue entry, into unknown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
        expect(decideV2(answered(status, body), ask({})).state).toBe('unknown');
      }),
    );
  });

  it('multiplies prices as decimals, exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 1, max: 8 }), (cents, count) => {
        const price = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        const body = JSON.stringify({ ...ENTRY, price: { secure: 'P' } }).replace('"P"', price);
        const verdict = decideV2(answered(200, body), ask({ count }));
        const total = cents * count;
        expect(verdict.price?.amount).toBe(`${Math.floor(total / 100)}.${String(total % 100).padStart(2, '0')}`);
      }),
    );
  });
});

describe('the question put to the catalogue', () => {
  const question = (region: string | null) => {
    const placement = {
      cloud: 'runpod',
      region,
      accelerator: { name: 'RTX4090', count: 2 },
      spot: false,
      maxHourlyPrice: '1',
    };
    const asked = questionFor({ placement, diskGiB: 100 });
    return 'question' in asked ? urlOf('https://api.example/', asked.question) : asked.impossible;
  };

  it('names product, count and cloud, and escapes the id', () => {
    expect(question(null)).toBe(
      'https://api.example/v2/catalog/gpus/NVIDIA%20GeForce%20RTX%204090?include=AVAILABILITY&product=POD&count=2&cloud=SECURE',
    );
  });

  it('names a country when the placement does, and nothing that RunPod would reject', () => {
    expect(question('RO')).toContain('&countryCodes=RO');
    expect(question('EU-RO-1')).not.toContain('countryCodes');
    expect(question('us-east')).not.toContain('countryCodes');
  });

  it('cannot be put for a placement without GPU or with an unmapped one, and says which names are near', () => {
    const base = { cloud: 'runpod', region: null, spot: false, maxHourlyPrice: null };
    const put = (accelerator: { name: string; count: number } | null) =>
      questionFor({ placement: { ...base, accelerator }, diskGiB: null });
    expect(put(null)).toHaveProperty('impossible');
    expect(put({ name: 'RTX3080-Ti', count: 1 })).toEqual({ impossible: expect.stringContaining('RTX3080Ti') });
  });
});
