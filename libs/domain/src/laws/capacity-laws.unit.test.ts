import { describe, expect, it } from '@jest/globals';
import type { EventData, HourlyPrice, Placement, RecordedEvent, StockSignal } from '@davit/contracts';
import { stream } from '@davit/contracts';
import { offerKeyOf } from '../placement/offer.js';
import { History, exampleDeployment } from '../testing/history.js';
import { Life } from '../testing/life.js';
import { type Violation, checkLaws } from './index.js';

const KEY = 'default/qwen';
const INTENT = '00000000-0000-7000-8000-00000000aaaa';
const LIFETIME_MS = 30_000;
type Evidence = EventData<'davit.replica.placed'>['evidence'][number];

/** A deployment with two rungs, and one replica of it up to the moment at which it is placed. */
class Told {
  readonly history = new History();
  readonly placements: readonly Placement[];
  readonly life: Life;

  constructor(spec: Partial<ReturnType<typeof exampleDeployment>['spec']> = {}) {
    const example = exampleDeployment();
    const declared = { ...example, spec: { ...example.spec, ...spec } };
    this.placements = declared.spec.compute.mode === 'elastic' ? declared.spec.compute.placements : [];
    this.history.given(stream.deployment(KEY), 'davit.deployment.declared', {
      intentId: INTENT,
      generation: 1,
      revision: 1,
      templateDigest: '0'.repeat(64),
      spec: declared,
    });
    this.life = new Life(this.history).requested().replica('discovery-requested', { attempt: 1 }).discovered();
  }

  placement(rung: number): Placement {
    const placement = this.placements[rung];
    if (!placement) throw new Error(`no rung ${rung}`);
    return placement;
  }
  price(change: Partial<HourlyPrice> = {}): HourlyPrice {
    const observedAt = this.at();
    const made = { amount: '0.86', currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'runpod' } as const;
    return { ...made, observedAt, ...change };
  }
  signal(state: StockSignal['state'], price: HourlyPrice | null = null): StockSignal {
    return {
      state,
      source: 'runpod',
      scope: 'global',
      level: null,
      observedAt: this.at(),
      expiresAt: this.at(LIFETIME_MS),
      price,
      detail: 'no stock',
      permanent: false,
    };
  }
  assessed(rung: number, signal: StockSignal): this {
    const placement = this.placement(rung);
    this.history.given(`capacity/${offerKeyOf(placement)}`, 'davit.capacity.assessed', {
      replicaId: this.life.id,
      attempt: 1,
      rung,
      placement,
      signal,
    });
    return this;
  }
  evidence(rung: number, signal: StockSignal | null, change: Partial<Evidence> = {}): Evidence {
    return {
      rung,
      placement: this.placement(rung),
      state: signal?.state ?? 'unknown',
      source: signal?.source ?? 'none',
      scope: signal?.scope ?? 'none',
      observedAt: signal?.observedAt ?? null,
      verdict: 'next',
      reason: '',
      ageMs: signal ? this.history.nowMs - Date.parse(signal.observedAt) : null,
      price: signal?.price ?? null,
      ...change,
    };
  }
  placed(evidence: Evidence[], change: Partial<EventData<'davit.replica.placed'>> = {}): this {
    const chosen = evidence.find(({ verdict }) => verdict === 'chosen');
    const { rung = null, placement = null, price = null } = chosen ?? {};
    this.life.replica('placed', { rung, placement, adopted: false, price, evidence, ...change });
    return this;
  }
  deferred(evidence: Evidence[]): this {
    this.life.replica('deferred', { reason: 'no stock', retryAt: this.at(30_000), evidence });
    return this;
  }
  at(afterMs = 0): string {
    return new Date(this.history.nowMs + afterMs).toISOString();
  }
  found(change: (event: RecordedEvent) => RecordedEvent = (event) => event): readonly Violation[] {
    return checkLaws(this.history.events.map(change), { ended: false });
  }
  broken(change?: (event: RecordedEvent) => RecordedEvent): string[] {
    return [...new Set(this.found(change).map(({ law }) => law.slice(0, 6)))];
  }
}

/** As it should be: the first rung is out of stock, the second is taken for its price. */
function good(change: { first?: Partial<Evidence>; second?: Partial<Evidence> } = {}): Told {
  const told = new Told();
  const none = told.signal('unavailable');
  const some = told.signal('available', told.price());
  told.assessed(0, none).assessed(1, some);
  told.history.later(1_000);
  return told.placed([
    told.evidence(0, none, { verdict: 'rejected', reason: 'no stock', ...change.first }),
    told.evidence(1, some, { verdict: 'chosen', ...change.second }),
  ]);
}

/** As it was written before there were ages and prices. */
const asOfOld = ({ rung, placement, state, source, scope, observedAt, verdict, reason }: Evidence): Evidence => ({
  rung,
  placement,
  state,
  source,
  scope,
  observedAt,
  verdict,
  reason,
});

/** With other data in the event of this type. */
const altered =
  (type: RecordedEvent['type'], change: object) =>
  (event: RecordedEvent): RecordedEvent =>
    // Tests break what the schema promises.
    event.type === type ? ({ ...event, data: { ...event.data, ...change } } as unknown as RecordedEvent) : event;

describe('a placement by the rules', () => {
  it('breaks no law', () => expect(good().found()).toEqual([]));
  it('nor does a log of an older version, whose evidence has neither age nor price', () => {
    const strip = (event: RecordedEvent): RecordedEvent =>
      event.type === 'davit.replica.placed'
        ? altered('davit.replica.placed', { evidence: event.data.evidence.map(asOfOld) })(event)
        : event;
    expect(good().found(strip)).toEqual([]);
  });
});

describe('law-04: what is not known of stock is no reason to reject', () => {
  it('an expired signal was one', () => {
    const told = new Told();
    const none = told.signal('unavailable');
    const some = told.signal('available');
    told.assessed(0, none).assessed(1, some);
    told.history.later(LIFETIME_MS);
    const again = { ...some, observedAt: told.at(), expiresAt: told.at(LIFETIME_MS) };
    told
      .assessed(1, again)
      .placed([told.evidence(0, none, { verdict: 'rejected' }), told.evidence(1, again, { verdict: 'chosen' })]);
    expect(told.broken()).toEqual(['law-04', 'law-15']);
    expect(told.found()[0]?.message).toContain('expired');
  });
  it('a signal that does not know was turned into one that says no', () => {
    const told = new Told();
    const unknown = told.signal('unknown');
    told.assessed(0, unknown);
    const lie = { verdict: 'rejected', state: 'unavailable' } as const;
    told.deferred([told.evidence(0, unknown, lie), told.evidence(1, null)]);
    expect(told.broken()).toEqual(['law-04']);
  });
  const unknownRejected = (told: Told): Told =>
    told.placed([
      told.evidence(0, null, { verdict: 'rejected', reason: 'unknown' }),
      told.evidence(1, null, { verdict: 'chosen' }),
    ]);
  it('nothing at all is known', () => expect(unknownRejected(new Told()).broken()).toEqual(['law-04']));
  it('but a budget may ask for a price, and an offer that refused is left alone', () => {
    const budget = { maxHourly: '4.00', currency: 'USD', onExceed: 'refuse' } as const;
    expect(unknownRejected(new Told({ budget })).broken()).toEqual([]);
    const refused = new Told();
    new Life(refused.history, { ordinal: 1 }).requested().replica('failed', {
      class: 'capacity',
      reason: 'launch refused',
      detail: '',
      placement: refused.placement(0),
      hadServed: false,
    });
    expect(unknownRejected(refused).broken()).toEqual([]);
  });
});

describe('law-14: money is decimal', () => {
  it.each([
    ['a float', { amount: 0.86 }],
    ['no number', { amount: 'cheap' }],
    ['a price without a currency', { amount: '0.86', currency: undefined }],
    ['a price without a source', { amount: '0.86', source: '' }],
    ['a price without a time', { amount: '0.86', observedAt: undefined }],
    ['a price of tomorrow', { observedAt: '2026-01-02T00:00:00.000Z' }],
  ])('%s', (_, change) => {
    const told = new Told();
    const quoted = { placement: told.placement(0), price: told.price() };
    told.history.given('capacity/runpod', 'davit.capacity.price-quoted', quoted);
    expect(told.found()).toEqual([]);
    const price = { ...quoted.price, ...change };
    expect(told.broken(altered('davit.capacity.price-quoted', { price }))).toEqual(['law-14']);
  });
  it('a ceiling that is no decimal text', () => {
    const told = new Told();
    const budget = { maxHourly: 4, currency: 'USD', onExceed: 'refuse' };
    const spec = exampleDeployment();
    const declared = { spec: { ...spec, spec: { ...spec.spec, budget } } };
    expect(told.broken(altered('davit.deployment.declared', declared))).toEqual(['law-14']);
  });
  it('a quoted price that comes back as billed, with the event that quoted it', () => {
    const told = good();
    const price = told.price({ observedAt: told.at(-1_000 - 1_000), kind: 'billed' });
    told.life.replica('launch-requested', { attempt: 1, deadlineAt: told.at(60_000) }).launched();
    told.life.fact('observed', {
      phase: 'up',
      url: null,
      providerId: null,
      price,
      class: null,
      detail: '',
    });
    expect(told.found()).toEqual([expect.objectContaining({ law: 'law-14-money-is-decimal', evidence: [6] })]);
    const billed = new Told();
    billed.life
      .launchRequested()
      .launched()
      .fact('observed', {
        phase: 'up',
        url: null,
        providerId: null,
        price: billed.price({ kind: 'billed' }),
        class: null,
        detail: '',
      });
    expect(billed.found()).toEqual([]);
  });
  it('a placement for another price than its evidence says', () => {
    const other = { price: null };
    expect(good().broken(altered('davit.replica.placed', other))).toEqual(['law-14']);
    const dearer = good();
    const price = { ...dearer.price({ amount: '0.87' }), observedAt: dearer.at(-2_000) };
    expect(dearer.broken(altered('davit.replica.placed', { price }))).toEqual(['law-14']);
  });
  it('a price that is stale is evidence, and nothing is placed for it', () => {
    const stale = good();
    const placed = altered('davit.replica.placed', { price: null });
    const old = (event: RecordedEvent): RecordedEvent =>
      event.type === 'davit.replica.placed' ? { ...placed(event), time: stale.at(60 * 60_000) } : event;
    expect(stale.broken(old)).toEqual([]);
    expect(stale.broken(placed)).toEqual(['law-14']);
  });
  it('for each of its cards is the same as for the whole machine', () => {
    const told = new Told();
    const some = told.signal('available', told.price({ unit: 'gpu-hour', amount: '0.860' }));
    told.assessed(0, some);
    const whole = { ...some.price, unit: 'instance-hour', amount: '0.86' } as HourlyPrice;
    told.placed([told.evidence(0, some, { verdict: 'chosen', price: whole }), told.evidence(1, null)], {
      price: some.price,
    });
    expect(told.found()).toEqual([]);
  });
});

describe('law-15: a decision carries its evidence', () => {
  it('a candidate of which nothing is said', () => {
    const told = new Told();
    expect(told.placed([told.evidence(0, null, { verdict: 'chosen' })]).broken()).toEqual(['law-15']);
    const put = new Told();
    expect(put.deferred([]).broken()).toEqual(['law-15']);
  });
  it('a placement of none, of two, or of another offer than was chosen', () => {
    expect(good({ second: { verdict: 'next' } }).broken()).toContain('law-15');
    expect(good({ first: { verdict: 'chosen' } }).broken()).toContain('law-15');
    expect(good().broken(altered('davit.replica.placed', { rung: 0 }))).toEqual(['law-15']);
  });
  it('a wait although something was chosen', () => {
    const told = new Told();
    told.deferred([told.evidence(0, null, { verdict: 'chosen' }), told.evidence(1, null)]);
    expect(told.broken()).toEqual(['law-15']);
  });
  it('what is adopted needs none', () => {
    const told = new Told();
    expect(told.placed([], { rung: null, placement: null, adopted: true }).found()).toEqual([]);
  });
  it.each([
    ['of a signal that nobody observed', { observedAt: null }],
    ['that cannot be', { ageMs: 3_600_000 }],
    ['past the lifetime of what still counts', { ageMs: LIFETIME_MS }],
  ])('an age %s', (_, second) => {
    const told = good({ second });
    told.history.later(LIFETIME_MS);
    expect(told.broken()).toContain('law-15');
  });
  it.each([
    ['a drain', (life: Life) => life.serves().replica('drain-requested', { reason: '', deadlineAt: at(life) })],
    ['a deletion', (life: Life) => life.serves().replica('delete-requested', { reason: '' })],
    [
      'a failure',
      (life: Life) =>
        life
          .serves()
          .replica('failed', { class: 'transient', reason: '', detail: 'x', placement: null, hadServed: true }),
    ],
  ])('%s without a reason', (_, tell) => {
    const history = new History();
    tell(new Life(history));
    expect(checkLaws(history.events, { ended: false }).map(({ law }) => law.slice(0, 6))).toEqual(['law-15']);
  });
  const at = ({ history }: Life): string => new Date(history.nowMs + 30_000).toISOString();

  it('a decision that does not say what it had read, by a writer that says it elsewhere', () => {
    const based = (event: RecordedEvent): RecordedEvent =>
      event.type === 'davit.replica.placed' ? event : { ...event, basedonposition: event.position - 1 };
    expect(good().broken(based)).toEqual(['law-15']);
    expect(good().found((event) => ({ ...event, basedonposition: event.position - 1 }))).toEqual([]);
    expect(good().broken((event) => ({ ...event, basedonposition: event.position }))).toEqual(['law-15']);
  });
  it('a replica that leads back to no intent, or to none of its deployment', () => {
    const joined = (event: RecordedEvent): RecordedEvent => ({ ...event, correlationid: INTENT });
    expect(good().found(joined)).toEqual([]);
    const lost = (correlationid?: string) => (event: RecordedEvent) => {
      if (event.type !== 'davit.replica.requested') return joined(event);
      // Told events carry no correlation of their own.
      return correlationid === undefined ? event : { ...event, correlationid };
    };
    expect(good().broken(lost())).toEqual(['law-15']);
    expect(good().broken(lost('00000000-0000-7000-8000-00000000bbbb'))).toEqual(['law-15']);
  });
});
