import { describe, expect, it } from '@jest/globals';
import type { StockSignal } from '@davit/contracts';
import type { PlacementQuestion } from './question.js';
import { rankPlacements } from './rank.js';
import { LONGEST_REFUSAL_MS, REFUSAL_MEMORY_MS } from './refusals.js';
import { NOW, candidateOf, iso, offerWith, placementAt, questionWith, roomFor, signalOf } from './testing/questions.js';

const MINUTE = 60_000;

/** The rung that is taken of a ladder with these signals; null when none is. */
const choose = (
  signals: readonly (StockSignal | undefined)[],
  { ceiling = null, ...change }: Partial<PlacementQuestion> & { ceiling?: string | null } = {},
): number | null => {
  const candidates = signals.map((signal, rung) =>
    candidateOf(rung, {
      signal,
      placement: placementAt({ accelerator: { name: `GPU${rung}`, count: 1 }, maxHourlyPrice: ceiling }),
    }),
  );
  return rankPlacements(questionWith(candidates, change)).chosen?.rung ?? null;
};

describe('choosing a rung of the ladder', () => {
  it('takes the first with stock', () => expect(choose([signalOf('unavailable'), signalOf('available')])).toBe(1));
  it('is not blocked by not knowing', () => {
    expect(choose([signalOf('unknown'), signalOf('available')])).toBe(0);
    expect(choose([undefined, signalOf('available')])).toBe(0);
  });
  it('goes on with little stock, and says that it may be refused', () => {
    expect(choose([signalOf('constrained'), signalOf('available')])).toBe(0);
    const { chosen } = rankPlacements(questionWith([candidateOf(0, { signal: signalOf('constrained') })]));
    expect(chosen?.reason).toContain('the launch may be refused');
  });
  it('treats a signal past its lifetime as unknown, also a bad one', () => {
    expect(choose([signalOf('unavailable', { ageMs: 29_999 })])).toBeNull();
    expect(choose([signalOf('unavailable', { ageMs: 30_000 })])).toBe(0);
  });
  it('waits when every rung is out of stock, until the first of the signals ends', () => {
    const ranking = rankPlacements(
      questionWith([
        candidateOf(0, { signal: signalOf('unavailable', { ageMs: 1_000 }) }),
        candidateOf(1, { signal: signalOf('unavailable', { ageMs: 9_000 }) }),
      ]),
    );
    expect(ranking).toMatchObject({ chosen: null, permanent: false, changesAtMs: NOW + 21_000 });
  });
  it('knows when waiting cannot help on any rung', () => {
    const never = candidateOf(0, { signal: signalOf('unavailable', { permanent: true }) });
    expect(rankPlacements(questionWith([never]))).toMatchObject({ permanent: true, changesAtMs: null });
    const later = candidateOf(1, { signal: signalOf('unavailable') });
    expect(rankPlacements(questionWith([never, later]))).toMatchObject({
      permanent: false,
      changesAtMs: NOW + 30_000,
    });
  });
});

describe('a rung that refused', () => {
  const placement = placementAt();
  const refusedUntil = (
    ...tries: readonly { outcome: 'refused' | 'served'; agoMs: number; tookMs?: number }[]
  ): number | null => {
    const candidate = candidateOf(0, { placement, offer: offerWith(placement, tries) });
    const { chosen, changesAtMs } = rankPlacements(questionWith([candidate]));
    return chosen ? null : ((changesAtMs ?? NOW) - NOW) / MINUTE;
  };
  const refused = (agoMinutes: number, tookMinutes = 1) =>
    ({ outcome: 'refused', agoMs: agoMinutes * MINUTE, tookMs: tookMinutes * MINUTE }) as const;
  const served = (agoMinutes: number, tookMinutes: number) =>
    ({ outcome: 'served', agoMs: agoMinutes * MINUTE, tookMs: tookMinutes * MINUTE }) as const;

  it('is left alone by the deployment that it refused, and forgiven later', () => {
    const own = (agoMs: number) => [{ placement, class: 'capacity' as const, at: iso(NOW - agoMs) }];
    const candidate = candidateOf(0, { placement });
    const other = candidateOf(1);
    const chosen = (agoMs: number) =>
      rankPlacements(questionWith([candidate, other], { refusals: own(agoMs) })).chosen?.rung;
    expect(chosen(1_000)).toBe(1);
    expect(chosen(REFUSAL_MEMORY_MS)).toBe(0);
  });
  it('is left alone by every deployment', () => expect(refusedUntil(refused(2))).toBe(8));
  it('is left alone longer with each refusal in a row, up to an hour', () => {
    expect(refusedUntil(refused(20), refused(2))).toBe(18);
    expect(refusedUntil(refused(60), refused(30), refused(2))).toBe(38);
    const many = Array.from({ length: 40 }, (_, index) => refused(2 + (39 - index) * 60));
    expect(refusedUntil(...many)).toBe(LONGEST_REFUSAL_MS / MINUTE - 2);
  });
  it('has refused once however many launches were under way together', () => {
    const burst = [refused(2, 5), refused(2, 5), refused(1.5, 5), refused(1, 5)];
    expect(refusedUntil(...burst)).toBe(9);
  });
  it('is believed again once a later start served', () => {
    expect(refusedUntil(refused(8), served(2, 5))).toBeNull();
  });
  it('is not believed for a start that had got its machine before', () => {
    expect(refusedUntil(refused(8), served(2, 20))).toBe(2);
  });
  it('begins with the first wait again after a long time without a try', () => {
    expect(refusedUntil(refused(600), refused(580), refused(2))).toBe(8);
  });
  it('is tried at once when a user asks to try again', () => {
    const candidate = candidateOf(0, { placement, offer: offerWith(placement, [refused(2), refused(1)]) });
    const ask = (forgivenBefore: string) => rankPlacements(questionWith([candidate], { forgivenBefore })).chosen;
    expect(ask(iso(NOW))).not.toBeNull();
    expect(ask(iso(NOW - 3 * MINUTE))).toBeNull();
  });
  it('is told with how often, when, and until when it is left alone', () => {
    const candidate = candidateOf(0, { placement, offer: offerWith(placement, [refused(20), refused(2)]) });
    const { candidates } = rankPlacements(questionWith([candidate]));
    expect(candidates[0]?.reason).toBe(
      `refused launches 2 times in a row for capacity (at ${iso(NOW - 20 * MINUTE)}, ${iso(NOW - 2 * MINUTE)}); left alone until ${iso(NOW + 18 * MINUTE)}, 18 min from now`,
    );
  });
});

describe('what a rung costs', () => {
  it('keeps to the ceiling of a placement', () => {
    expect(choose([signalOf('available', { amount: '1.00' })], { ceiling: '0.99' })).toBeNull();
    expect(choose([signalOf('available', { amount: '0.99' })], { ceiling: '0.99' })).toBe(0);
  });
  it('holds no price that is past its lifetime against a rung', () => {
    const old = signalOf('available', { amount: '1.00', ageMs: 11 * MINUTE });
    expect(choose([old], { ceiling: '0.99' })).toBe(0);
  });
  it('counts a price for each GPU as often as the machine has GPUs', () => {
    const quoted = signalOf('available', { amount: '0.30' });
    const candidate = candidateOf(0, {
      placement: placementAt({ accelerator: { name: 'L40S', count: 4 }, maxHourlyPrice: '1.00' }),
      signal: { ...quoted, price: quoted.price && { ...quoted.price, unit: 'gpu-hour' } },
    });
    const { candidates } = rankPlacements(questionWith([candidate]));
    expect(candidates[0]).toMatchObject({ verdict: 'rejected', reason: expect.stringContaining('1.20 an hour') });
  });
  it('takes a risen price within the tolerance, above it only where it is guaranteed', () => {
    const at = (amount: string, guaranteedUntil?: string) => {
      const signal = signalOf('available', { amount });
      const price = signal.price && { ...signal.price, ...(guaranteedUntil === undefined ? {} : { guaranteedUntil }) };
      const firstPrice = { ...signal.price, amount: '1.00' } as NonNullable<typeof signal.price>; // given above
      const candidate = candidateOf(0, { placement: placementAt(), signal: { ...signal, price }, firstPrice });
      return rankPlacements(questionWith([candidate]));
    };
    expect(at('1.25').chosen).not.toBeNull();
    expect(at('1.26').candidates[0]).toMatchObject({
      verdict: 'rejected',
      objections: [{ kind: 'above-estimate', reason: expect.stringContaining('1.26') }],
    });
    expect(at('1.26', iso(NOW + MINUTE)).chosen).not.toBeNull();
    expect(at('1.26', iso(NOW)).chosen).toBeNull();
  });
  it('says nothing by a price of another market', () => {
    const signal = signalOf('available', { amount: '9.00' });
    const spot = { ...signal, price: signal.price && { ...signal.price, market: 'spot' as const } };
    expect(choose([spot], { ceiling: '0.99' })).toBe(0);
  });
});

describe('what budgets leave', () => {
  it('keeps to what is left an hour, for all that are placed at once', () => {
    const dime = signalOf('available', { amount: '0.10' });
    expect(choose([dime], { budgets: [roomFor('0.3')], ahead: 2 })).toBe(0);
    expect(choose([dime], { budgets: [roomFor('0.29')], ahead: 2 })).toBeNull();
    expect(choose([dime], { budgets: [roomFor('0.29')], ahead: 1 })).toBe(0);
  });
  it('keeps to what is left in all, which must pay for an hour', () => {
    const dime = signalOf('available', { amount: '0.10' });
    expect(choose([dime], { budgets: [roomFor(null, '0.10')] })).toBe(0);
    expect(choose([dime], { budgets: [roomFor(null, '0.09')] })).toBeNull();
  });
  it('keeps to each of several budgets', () =>
    expect(
      choose([signalOf('available', { amount: '0.10' })], { budgets: [roomFor('9'), roomFor('0.05')] }),
    ).toBeNull());
  it('takes a cheaper rung where the first is too dear for what is left', () => {
    const dear = signalOf('available', { amount: '2.00' });
    const cheap = signalOf('available', { amount: '0.50' });
    expect(choose([dear, cheap], { budgets: [roomFor('1.00')] })).toBe(1);
  });
  it('never passes a price by a budget in another currency', () => {
    const candidate = candidateOf(0, { signal: signalOf('available', { amount: '0.10' }) });
    const ranking = rankPlacements(questionWith([candidate], { budgets: [roomFor('9', null, 'EUR')] }));
    expect(ranking).toMatchObject({ chosen: null, permanent: true });
    expect(ranking.candidates[0]?.reason).toContain('0.10 USD an hour is priced in USD');
  });
  it('law-04: never takes an unknown price for none: the ceiling stands for it, or the rung is passed over', () => {
    const budgets = [roomFor('1.00')];
    for (const signal of [signalOf('available'), undefined, signalOf('available', { amount: '0.10', ageMs: 1e9 })]) {
      expect(choose([signal], { budgets })).toBeNull();
      expect(choose([signal], { budgets, ceiling: '1.00' })).toBe(0);
      expect(choose([signal], { budgets, ceiling: '1.01' })).toBeNull();
    }
    const { candidates } = rankPlacements(questionWith([candidateOf(0)], { budgets }));
    expect(candidates[0]?.reason).toContain('no price is known and a budget is set, which leaves 1.00 USD');
  });
  it('is not asked where there is none, and an unknown price blocks nothing then', () =>
    expect(choose([signalOf('available')], { budgets: [roomFor(null)] })).toBe(0));
});
