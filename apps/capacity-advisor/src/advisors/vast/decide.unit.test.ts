import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Verdict } from '../advisor.js';
import { goldenText, questionOf } from '../testing/golden.js';
import { decideOffers, readOffers } from './decide.js';
import { MOST_OFFERS, type VastQuestion, countryOf, searchBody, vastQuestion } from './question.js';

const put = (asked: Parameters<typeof questionOf>[1] = {}): VastQuestion => {
  const question = vastQuestion(questionOf('vast', asked));
  if ('impossible' in question) throw new Error(question.impossible);
  return question.question;
};

const [OFFER = {}] = (JSON.parse(goldenText('vast-l40s.json')) as { offers: readonly object[] }).offers; // a golden file of ours

const decide = (offers: readonly unknown[], question = put()): Verdict => {
  const read = readOffers({ kind: 'response', status: 200, headers: {}, body: JSON.stringify({ offers }) });
  return 'verdict' in read ? read.verdict : decideOffers(read.answer, question);
};

describe('the search of Vast', () => {
  it('asks for what SkyPilot would take, at our disk, cheapest first', () => {
    expect(JSON.parse(searchBody(put({ accelerator: 'RTX4090:2', diskGiB: 120 })))).toEqual({
      verified: { eq: true },
      external: { eq: false },
      rentable: { eq: true },
      rented: { eq: false },
      gpu_name: { in: ['RTX 4090', 'RTX 4090D'] },
      num_gpus: { eq: 2 },
      gpu_ram: { gte: 22_118 },
      disk_space: { gte: 120 },
      allocated_storage: 120,
      type: 'on-demand',
      order: [['dph_total', 'asc']],
      limit: MOST_OFFERS,
    });
  });

  it('asks for bids where the machine may be interrupted, and the same for every region', () => {
    expect(JSON.parse(searchBody(put({ spot: true })))).toMatchObject({ type: 'bid', gpu_name: { eq: 'L40S' } });
    expect(searchBody(put({ region: 'US' }))).toBe(searchBody(put()));
  });

  it.each([
    ['US', 'US'],
    ['Texas, US', 'US'],
    ['Michigan, US, NA', 'US'],
    [', US, NA', 'US'],
    ['Yutakachō, Shinagawa District, Tokyo, JP', 'JP'],
    ['NA', null],
    ['EU', null],
    ['Namibia, NA', null],
    ['Windhoek, NA, AF', 'NA'],
    ['us-east-1', null],
    ['', null],
  ])('finds the country of %j', (location, country) => {
    expect(countryOf(location)).toBe(country);
  });
});

describe('a list of offers', () => {
  it('that was cut off is no proof that a country has none, but of those it shows', () => {
    const many = Array.from({ length: MOST_OFFERS }, () => OFFER);
    const elsewhere = decide(many, put({ region: 'JP' }));
    expect(elsewhere).toMatchObject({ state: 'unknown', detail: expect.stringContaining('more than were read') });
    expect(elsewhere.failure).toBeUndefined();
    expect(decide(many, put({ region: 'US' }))).toMatchObject({ state: 'available', level: '256 or more offers' });
    const other = many.map((offer) => ({ ...offer, gpu_name: 'L4' }));
    expect(decide(other)).toMatchObject({ state: 'unknown', failure: 'unreadable-answer' });
  });

  it('of a continent is the whole market, and never proof that there is none', () => {
    const continent = put({ region: 'EU' });
    expect(decide([OFFER], continent)).toMatchObject({
      state: 'constrained',
      scope: 'global',
      detail: expect.stringContaining('cannot be searched by "EU"'),
    });
  });

  it('says the same in whatever order its offers stand', () => {
    const offer = fc.record({
      gpu_name: fc.constantFrom('L40S', 'L40', 'RTX 4090'),
      num_gpus: fc.constantFrom(1, 2, 'x'),
      dph_total: fc.integer({ min: 1, max: 500 }).map((cents) => cents / 100),
      geolocation: fc.constantFrom('Texas, US', 'Iceland, IS', null),
      rentable: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(offer, { maxLength: 8 }), fc.constantFrom('US', ''), (offers, region) => {
        const question = put(region === '' ? {} : { region });
        expect(decide(offers.toReversed(), question)).toEqual(decide(offers, question));
      }),
    );
  });

  it('costs what the fourth machine costs, so that a few replicas rented on one answer cost no more than it said', () => {
    const at = (...amounts: number[]) => decide(amounts.map((dph_total) => ({ ...OFFER, dph_total }))).price?.amount;
    expect(at(0.5, 0.9, 0.6, 0.8, 0.7)).toBe('0.8');
    expect(at(0.9, 0.5)).toBe('0.9');
    expect(at()).toBeUndefined();
  });

  it('has one more state for each machine, and never fewer', () => {
    const rank = ['unavailable', 'constrained', 'available'];
    let before = -1;
    for (let count = 0; count < 6; count += 1) {
      const { state } = decide(Array.from({ length: count }, () => OFFER));
      expect(rank.indexOf(state)).toBeGreaterThanOrEqual(before);
      before = rank.indexOf(state);
    }
    expect(before).toBe(2);
  });
});
