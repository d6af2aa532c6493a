import { type EventData, type HourlyPrice, type Placement, stream } from '@davit/contracts';
import { isoTime, silentLogger } from '@davit/ports';
import { KEY, Stage, declared } from '@davit/stage';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Advice, type StockAdvisor, type StockQuestion, adviceOf, unknownBecause } from '../advisors/advisor.js';
import { Assessor } from '../assessment/assessor.js';
import { PriceBook } from '../prices/price-book.js';
import { WatchController } from './controller.js';

const MINUTE = 60_000;
const EVERY_MS = 10 * MINUTE;

const ladder = {
  compute: {
    mode: 'elastic',
    placements: [
      { cloud: 'runpod', accelerator: 'L40S:1', maxHourlyPrice: '2.00' },
      { cloud: 'runpod', accelerator: 'H100:2', region: 'RO' },
      { cloud: 'lambda', accelerator: 'H100:1' },
    ],
    diskGiB: 100,
  },
};
const sameUnderAnotherCeiling = {
  compute: {
    mode: 'elastic',
    placements: [{ cloud: 'runpod', accelerator: 'L40S:1', maxHourlyPrice: '3.00' }],
    diskGiB: 200,
  },
};
const OFFERS = ['lambda:H100', 'runpod:H100', 'runpod:L40S'];

describe('samples of what deployments allow', () => {
  let stage: Stage;
  let asked: { readonly question: StockQuestion; readonly atMs: number }[];
  let amount: string;
  let failure: Advice['failure'];
  let exchangeOf: (placement: Placement) => string | null;

  const advisor: StockAdvisor = {
    source: 'runpod-v2',
    exchangeOf: ({ placement }) => exchangeOf(placement),
    advise(question) {
      asked.push({ question, atMs: stage.clock.nowMs() });
      const stamp = { source: 'runpod-v2', observedAtMs: stage.clock.nowMs(), lifetimeMs: MINUTE };
      const verdict = failure
        ? unknownBecause('the rate limit was reached', failure)
        : {
            ...unknownBecause('in stock'),
            state: 'available' as const,
            price: { amount, market: 'on-demand' as const },
          };
      return Promise.resolve(adviceOf(verdict, question, stamp));
    },
  };
  const listed: HourlyPrice = {
    amount: '1.00',
    currency: 'USD',
    unit: 'instance-hour',
    kind: 'catalogue',
    source: 'sky-catalogue',
    observedAt: isoTime(0),
    market: 'on-demand',
    staleAfter: isoTime(Date.UTC(2100, 0, 1)),
  };
  const start = (instanceId?: string) => {
    const { clock } = stage;
    const source = { pricesOf: ({ cloud }: Placement) => Promise.resolve(cloud === 'runpod' ? [listed] : []) };
    const prices = new PriceBook([source], clock, silentLogger);
    const advisors = new Map([['runpod', advisor]]);
    const assessor = new Assessor({ advisors, prices, clock, logger: silentLogger, lifetimeMs: MINUTE });
    return stage.start([new WatchController(assessor, EVERY_MS)], instanceId);
  };
  const declare = (): Promise<void> => stage.given(stream.deployment(KEY), declared(ladder));
  const events = () => stage.written('capacity');
  const sampled = async () =>
    (await events()).flatMap((event) => (event.type === 'davit.capacity.sampled' ? [event] : []));
  const quoted = async () =>
    (await events()).flatMap((event) =>
      event.type === 'davit.capacity.price-quoted' ? [`${event.data.price.source} ${event.data.price.amount}`] : [],
    );
  const offerOf = ({ placement: { cloud, accelerator } }: EventData<'davit.capacity.sampled'>): string =>
    `${cloud}:${accelerator?.name ?? 'cpu'}`;

  beforeEach(() => {
    stage = new Stage('capacity-advisor');
    asked = [];
    amount = '1.72';
    failure = undefined;
    exchangeOf = ({ accelerator, region }) => `${accelerator?.name} ${region}`;
  });

  it('are taken of each offer once, whatever ceilings stand on it, for the disk that is wanted', async () => {
    await declare();
    await stage.given(stream.deployment('default/other'), declared(sameUnderAnotherCeiling));
    start();
    await stage.clock.advance(2 * MINUTE);
    const taken = await sampled();
    expect(taken.map(({ data }) => offerOf(data)).toSorted()).toEqual(OFFERS);
    expect(asked.map(({ question }) => question)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ diskGiB: 200, placement: expect.objectContaining({ maxHourlyPrice: null }) }),
      ]),
    );
    const l40s = taken.find(({ data }) => offerOf(data) === 'runpod:L40S');
    expect(l40s?.stream).toBe('capacity/runpod:L40S:1');
    const observedMs = Date.parse(l40s?.data.signal.observedAt ?? '');
    expect(l40s?.data.signal).toMatchObject({
      state: 'available',
      expiresAt: isoTime(observedMs + 2 * EVERY_MS),
      price: { amount: '1.72', source: 'runpod-v2', staleAfter: isoTime(observedMs + 2 * EVERY_MS) },
    });
  });

  it('leave no hole in history: each holds until after the next was taken', async () => {
    await declare();
    start();
    await stage.clock.advance(3 * 60 * MINUTE);
    for (const offer of OFFERS) {
      const taken = (await sampled()).filter(({ data }) => offerOf(data) === offer);
      expect(taken.length).toBeGreaterThanOrEqual(18);
      expect(taken.length).toBeLessThanOrEqual(24);
      for (const [index, next] of taken.slice(1).entries()) {
        expect(Date.parse(taken[index]?.data.signal.expiresAt ?? '')).toBeGreaterThan(Date.parse(next.time));
      }
    }
  });

  it('ask one cloud one thing at a time, with room for replicas between them', async () => {
    await declare();
    start();
    await stage.clock.advance(60 * MINUTE);
    const times = asked.map(({ atMs }) => atMs);
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(times.length).toBeGreaterThan(8);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(12_000);
  });

  const regions = (first: number) => ({
    compute: {
      mode: 'elastic',
      placements: Array.from({ length: 64 }, (_, at) => ({
        cloud: 'runpod',
        accelerator: 'L40S:1',
        region: `R${first + at}`,
      })),
      diskGiB: 100,
    },
  });

  it('are taken together where one answer serves them all', async () => {
    exchangeOf = ({ accelerator }) => accelerator?.name ?? 'cpu';
    await stage.given(stream.deployment(KEY), declared(regions(0)));
    await stage.given(stream.deployment('default/other'), declared(ladder));
    start();
    await stage.clock.advance(3 * MINUTE);
    expect(await sampled()).toHaveLength(67);
    const times = [...new Set(asked.map(({ atMs }) => atMs))];
    expect(times).toHaveLength(3);
    await stage.clock.advance(10 * MINUTE);
    expect(await sampled()).toHaveLength(2 * 67);
    expect(new Set(asked.map(({ atMs }) => atMs)).size).toBeLessThanOrEqual(8);
  });

  it('leave no hole either where there are more questions than fit into an interval', async () => {
    await stage.given(stream.deployment(KEY), declared(regions(0)));
    await stage.given(stream.deployment('default/other'), declared(regions(100)));
    start();
    await stage.clock.advance(60 * MINUTE);
    const ends = new Map<string, number>();
    for (const { data, time } of await sampled()) {
      const key = data.placement.region ?? '';
      expect(ends.get(key) ?? Infinity).toBeGreaterThan(Date.parse(time));
      ends.set(key, Date.parse(data.signal.expiresAt));
    }
    expect(ends.size).toBe(128);
    expect((await sampled()).length).toBeGreaterThanOrEqual(2 * 128);
  });

  it('tell a price of any source only when it is another than the last', async () => {
    await declare();
    start();
    await stage.clock.advance(60 * MINUTE);
    const first = ['runpod-v2 1.72', 'runpod-v2 1.72', 'sky-catalogue 1.00', 'sky-catalogue 1.00'];
    expect((await quoted()).toSorted()).toEqual(first);
    amount = '1.80';
    await stage.clock.advance(30 * MINUTE);
    expect((await quoted()).slice(4)).toEqual(['runpod-v2 1.80', 'runpod-v2 1.80']);
  });

  it('are neither taken nor told again by a restart before they are due', async () => {
    await declare();
    const stop = start();
    await stage.clock.advance(2 * MINUTE);
    await stop();
    const before = (await events()).length;
    start('two');
    await stage.clock.advance(4 * MINUTE);
    expect(await events()).toHaveLength(before);
    await stage.clock.advance(6 * MINUTE);
    expect(await sampled()).toHaveLength(6);
    expect(await quoted()).toHaveLength(4);
  });

  it('are taken by one instance of all', async () => {
    await declare();
    start('one');
    start('two');
    await stage.clock.advance(60 * MINUTE);
    const taken = (await sampled()).filter(({ data }) => offerOf(data) === 'runpod:L40S');
    expect(taken.length).toBeLessThanOrEqual(8);
    expect(taken.length).toBeGreaterThanOrEqual(6);
  });

  it('end with the deployment, and begin with a new one at the next walk', async () => {
    start();
    await stage.clock.advance(60 * MINUTE);
    expect(asked).toEqual([]);
    await declare();
    await stage.clock.advance(2 * MINUTE);
    expect(await sampled()).toHaveLength(3);
    await stage.given(stream.deployment(KEY), {
      type: 'davit.deployment.deletion-requested',
      data: { intentId: '00000000-0000-7000-8000-000000000002' },
    });
    const until = asked.length;
    await stage.clock.advance(60 * MINUTE);
    expect(asked).toHaveLength(until);
  });

  it('are none where a limit kept the question from being asked, and its turn comes again', async () => {
    await declare();
    failure = 'rate-limited';
    start();
    await stage.clock.advance(2 * MINUTE);
    expect((await sampled()).map(({ data }) => offerOf(data))).toEqual(['lambda:H100']);
    failure = undefined;
    await stage.clock.advance(MINUTE);
    expect((await sampled()).map(({ data }) => offerOf(data)).toSorted()).toEqual(OFFERS);
  });

  it('say unknown where the provider could not say, which is an observation of that', async () => {
    await declare();
    failure = 'outage';
    start();
    await stage.clock.advance(2 * MINUTE);
    const states = (await sampled()).map(({ data }) => data.signal.state);
    expect(states).toEqual(['unknown', 'unknown', 'unknown']);
  });
});
