import { describe, expect, it } from '@jest/globals';
import type { HourlyPrice, Placement, StockSignal } from '@davit/contracts';
import fc from 'fast-check';
import { canonicalJson } from '../canonical.js';
import { questionOf } from './ask.js';
import { evidenceOf } from './evidence.js';
import { offerKeyOf } from './offer.js';
import type { Candidate, PlacementQuestion } from './question.js';
import { rankPlacements } from './rank.js';
import { NOW, iso, offerWith, roomFor } from './testing/questions.js';
import { Fleet, KEY } from '../testing/fleet.js';
import { History } from '../testing/history.js';

const MINUTE = 60_000;
const amounts = fc.constantFrom('0.10', '0.1', '0.50', '1', '1.00', '2.75', '12');
const currencies = fc.constantFrom('USD', 'USD', 'USD', 'EUR');

const places: fc.Arbitrary<Placement> = fc.record({
  cloud: fc.constantFrom('runpod', 'vast', 'aws'),
  region: fc.constantFrom(null, 'US', 'SE'),
  accelerator: fc.record({ name: fc.constantFrom('L40S', 'H100', 'L4'), count: fc.integer({ min: 1, max: 4 }) }),
  spot: fc.boolean(),
  maxHourlyPrice: fc.option(amounts),
});
const prices = (placement: Placement): fc.Arbitrary<HourlyPrice> =>
  fc
    .record({
      amount: amounts,
      currency: currencies,
      unit: fc.constantFrom('gpu-hour' as const, 'instance-hour' as const),
      kind: fc.constantFrom('quoted' as const, 'catalogue' as const),
      source: fc.constantFrom('runpod-v2', 'operator'),
      observedAt: fc.integer({ min: -60, max: 2 }).map((minutes) => iso(NOW + minutes * MINUTE)),
      guaranteed: fc.boolean(),
    })
    .map(({ guaranteed, ...price }) => ({
      ...price,
      market: placement.spot ? ('spot' as const) : ('on-demand' as const),
      ...(guaranteed ? { guaranteedUntil: iso(NOW + 5 * MINUTE) } : {}),
    }));
const signals = (placement: Placement): fc.Arbitrary<StockSignal> =>
  fc
    .record({
      state: fc.constantFrom('available' as const, 'constrained' as const, 'unavailable' as const, 'unknown' as const),
      ageMs: fc.integer({ min: 0, max: 3 * MINUTE }),
      lifetimeMs: fc.integer({ min: 1_000, max: 2 * MINUTE }),
      price: fc.option(prices(placement)),
      permanent: fc.boolean(),
      detail: fc.constantFrom('', 'none left', 'no card of this name'),
    })
    .map(({ ageMs, lifetimeMs, ...signal }) => ({
      ...signal,
      source: 'runpod-v2',
      scope: 'global',
      level: null,
      observedAt: iso(NOW - ageMs),
      expiresAt: iso(NOW - ageMs + lifetimeMs),
    }));
const tries = fc.array(
  fc.record({
    outcome: fc.constantFrom('served' as const, 'refused' as const, 'failed' as const),
    agoMs: fc.integer({ min: 0, max: 120 * MINUTE }),
    tookMs: fc.integer({ min: 1_000, max: 30 * MINUTE }),
  }),
  { maxLength: 6 },
);
const candidates: fc.Arbitrary<readonly Candidate[]> = fc
  .uniqueArray(places, { selector: offerKeyOf, minLength: 1, maxLength: 12 })
  .chain((found) =>
    fc.tuple(
      ...found.map((placement, rung) =>
        fc
          .record({
            signal: fc.option(signals(placement), { nil: undefined }),
            tries: fc.option(tries),
            firstPrice: fc.option(prices(placement)),
          })
          .map(({ signal, tries: made, firstPrice }): Candidate => {
            const offer = made === null ? undefined : offerWith(placement, made);
            return { rung, placement, signal, offer, firstPrice };
          }),
      ),
    ),
  );
const questions: fc.Arbitrary<PlacementQuestion> = fc.record({
  candidates,
  selection: fc.constantFrom('ladder' as const, 'best' as const),
  objective: fc.constantFrom('cost' as const, 'readiness' as const, 'reliability' as const),
  spread: fc.constantFrom(null, 'cloud' as const, 'region' as const),
  neighbours: fc.array(places, { maxLength: 4 }),
  ahead: fc.integer({ min: 0, max: 5 }),
  refusals: fc.array(
    places.map((placement) => ({ placement, class: 'capacity' as const, at: iso(NOW - 3 * MINUTE) })),
    { maxLength: 3 },
  ),
  forgivenBefore: fc.constantFrom(null, iso(NOW - 30 * MINUTE)),
  budgets: fc.array(
    fc.tuple(fc.option(amounts), fc.option(amounts), currencies).map((parts) => roomFor(...parts)),
    { maxLength: 2 },
  ),
  nowMs: fc.constant(NOW),
});

describe('the policy of placement', () => {
  it('ranks every candidate, chooses at most one, and does not depend on the order they are given in', () => {
    fc.assert(
      fc.property(questions, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (question, random) => {
        const ranking = rankPlacements(question);
        expect(ranking.candidates.map(({ rung }) => rung).sort((a, b) => a - b)).toEqual(
          question.candidates.map(({ rung }) => rung),
        );
        expect(ranking.candidates.filter(({ verdict }) => verdict === 'chosen')).toEqual(
          ranking.chosen ? [ranking.chosen] : [],
        );
        expect(ranking.candidates.find(({ objections }) => objections.length === 0) ?? null).toBe(ranking.chosen);
        const shuffled = question.candidates
          .map((candidate, index) => ({ candidate, at: random[index] ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ candidate }) => candidate);
        expect(rankPlacements({ ...question, candidates: shuffled })).toEqual(ranking);
      }),
      { numRuns: 80 },
    );
  });

  it('never chooses what the specification does not allow', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const { chosen } = rankPlacements(question);
        const allowed = question.candidates.map(({ placement }) => canonicalJson(placement));
        if (chosen) expect(allowed).toContain(canonicalJson(chosen.placement));
        if (chosen) expect(question.candidates[chosen.rung]?.placement).toEqual(chosen.placement);
      }),
    );
  });

  it('law-04: hears nothing in signals once time has passed without samples: every stock is unknown and blocks nothing', () => {
    fc.assert(
      fc.property(questions, fc.integer({ min: 2 * MINUTE, max: 1e12 }), (question, laterMs) => {
        const later = { ...question, nowMs: NOW + laterMs };
        for (const { stock, objections } of rankPlacements(later).candidates) {
          expect(stock.state).toBe('unknown');
          expect(objections.filter(({ kind }) => kind === 'unavailable')).toEqual([]);
        }
      }),
    );
  });

  it('is kept waiting only by what it knows: without signal, refusal and budget it chooses', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const unknown = question.candidates.map((candidate) => ({
          ...candidate,
          signal: undefined,
          offer: undefined,
        }));
        const { chosen } = rankPlacements({ ...question, candidates: unknown, refusals: [], budgets: [] });
        expect(chosen).not.toBeNull();
      }),
    );
  });

  it('law-15: names the number that decided in each objection, and a reason for each candidate', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(questions, (question) => {
        for (const { reason, objections, verdict, placement, stock, price } of rankPlacements(question).candidates) {
          expect(reason).not.toBe('');
          expect(objections.length > 0).toBe(verdict === 'rejected');
          for (const { kind, reason: why, changesAtMs } of objections) {
            seen.add(kind);
            expect(reason).toContain(why);
            switch (kind) {
              case 'unavailable':
                expect(why).toMatch(/\d+ (s|min) ago$/);
                expect(stock.state).toBe('unavailable');
                break;
              case 'refused':
                expect(why).toContain(iso(changesAtMs ?? 0));
                break;
              case 'above-ceiling':
                expect(why).toContain(`ceiling of ${placement.maxHourlyPrice}`);
                expect(why).toContain(price.price?.amount);
                break;
              case 'above-estimate':
              case 'other-currency':
                expect(why).toContain(price.price?.amount);
                break;
              case 'hourly-budget':
              case 'total-budget':
                expect(why).toContain(
                  (price.status === 'fresh' ? price.price?.amount : placement.maxHourlyPrice) ?? '?',
                );
                expect(why).toMatch(/the budget leaves, \d[\d.]* [A-Z]{3}/);
                break;
              case 'price-unknown':
                expect(price.status).not.toBe('fresh');
                expect(why).toMatch(/which leaves \d[\d.]* [A-Z]{3}/);
            }
          }
        }
      }),
      { numRuns: 120, seed: 11 },
    );
    expect([...seen].sort()).toEqual([
      'above-ceiling',
      'above-estimate',
      'hourly-budget',
      'other-currency',
      'price-unknown',
      'refused',
      'total-budget',
      'unavailable',
    ]);
  });

  it('law-04: never spends under a budget what is unknown, of another currency, or more than is left', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const { chosen } = rankPlacements({ ...question, ahead: 0 });
        const budgets = question.budgets.filter((room) => room.hourlyLeft ?? room.totalLeft);
        if (!chosen || budgets.length === 0) return;
        const price = chosen.price.status === 'fresh' ? chosen.price.price : null;
        const cost = Number(price?.amount ?? chosen.placement.maxHourlyPrice ?? Infinity);
        for (const left of budgets.flatMap(({ hourlyLeft, totalLeft }) => [hourlyLeft ?? [], totalLeft ?? []].flat())) {
          expect(price?.currency ?? left.currency).toBe(left.currency);
          expect(cost).toBeLessThanOrEqual(Number(left.amount));
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe('a log of placements', () => {
  type Step = readonly [what: 'advise' | 'refuse' | 'serve' | 'die' | 'scale' | 'wait', which: number, how: number];
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom<Step[0]>('advise', 'advise', 'refuse', 'serve', 'die', 'scale', 'wait'),
      fc.nat(9),
      fc.nat(99),
    ),
    { minLength: 20, maxLength: 60 },
  );
  const computes = fc.record({
    any: fc.constant({ clouds: ['runpod', 'vast'], regions: ['US', 'SE'], accelerators: ['L40S', 'H100'] }),
    objective: fc.constantFrom('cost', 'readiness', 'reliability'),
    spread: fc.constantFrom('none', 'cloud', 'region'),
  });

  function live(compute: object, budget: object | undefined, history: readonly Step[]): Fleet {
    const fleet = new Fleet().declare({ replicas: 3, compute, ...(budget ? { budget } : {}) }).settle();
    for (const [what, which, how] of history) {
      const replicas = fleet.replicasOf(KEY);
      const replica = replicas[which % Math.max(1, replicas.length)];
      if (!replica) continue;
      const owner = { externalKey: replica.externalKey, replicaId: replica.id, adapter: 'skypilot' };
      if (what === 'advise' && replica.status === 'requested' && replica.discovery.outcome === 'pending') {
        fleet.advise(replica.id, (rung) => signalAt(fleet.nowMs, (how + rung * 7) % 12));
      } else if (what === 'refuse' && replica.launch?.outcome === 'requested') {
        const refusal = { ...owner, attempt: 1, class: 'capacity', detail: 'none left' } as const;
        fleet.given(`resource/${replica.externalKey}`, 'davit.resource.launch-refused', refusal).settle();
        fleet.proveGone(replica.id);
      } else if (what === 'serve' && replica.launch?.outcome === 'requested') fleet.bringUp(replica.id);
      else if (what === 'die' && replica.runtime) fleet.die(replica.id);
      else if (what === 'scale') fleet.declare({ replicas: 1 + (how % 5), compute, ...(budget ? { budget } : {}) });
      else if (what === 'wait') fleet.later((how + 1) * 10_000);
      fleet.settle();
    }
    return fleet;
  }
  function signalAt(nowMs: number, how: number): StockSignal | undefined {
    const states = ['available', 'constrained', 'unavailable', 'unknown'] as const;
    const state = states[how % 4];
    if (how === 11 || state === undefined) return undefined;
    const observedAt = iso(nowMs - how * 1_000);
    const amount = `${(how % 3) + 1}.${how}`;
    const said = { unit: 'instance-hour', kind: 'quoted', source: 'x', observedAt } as const;
    const price = how % 5 === 0 ? null : { amount, currency: 'USD', ...said };
    const expiresAt = iso(nowMs - how * 1_000 + 60_000);
    const rest = { source: 'x', scope: 'global', level: null, detail: '', permanent: false } as const;
    return { state, observedAt, expiresAt, price, ...rest };
  }

  it('says of each decision what the unchanged policy says again from what was recorded', () => {
    let decisions = 0;
    const budgets = fc.constantFrom(undefined, { maxHourly: '6' }, { maxTotal: '3' });
    fc.assert(
      fc.property(computes, budgets, steps, (compute, budget, history) => {
        const { events } = live(compute, budget, history);
        const past = new History();
        for (const event of events) {
          past.nowMs = Date.parse(event.time);
          if (event.type === 'davit.replica.placed' || event.type === 'davit.replica.deferred') {
            const replica = past.replica(event.data.replicaId);
            const deployment = past.deployment(KEY);
            const { compute: declared } = (deployment.revisions[replica.revision] ?? deployment.spec).spec;
            if (declared.mode !== 'elastic' || replica.discovery.outcome === 'present') {
              past.append(event.stream, event);
              continue;
            }
            const ranking = rankPlacements(
              questionOf(replica, deployment, declared, past.placementView(replica), past.nowMs),
            );
            const answers = event.type === 'davit.replica.deferred' ? replica.assessments : {};
            expect(evidenceOf(ranking, answers)).toEqual(event.data.evidence);
            expect(ranking.chosen?.rung ?? null).toBe(event.type === 'davit.replica.placed' ? event.data.rung : null);
            decisions += 1;
          }
          past.append(event.stream, event);
        }
      }),
      { numRuns: 40 },
    );
    expect(decisions).toBeGreaterThan(60);
  });
});
