import { beforeEach, describe, expect, test } from '@jest/globals';
import { type CostView, costView, operations } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds } from '@davit/ports';
import { IntentHandler } from '../intents/intent-handler.js';
import { queryOf } from '../operations/reading.js';
import { askedBy } from '../testing/asked-by.js';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { rented } from '../testing/rented.js';
import { CostController } from './cost.controller.js';

const HOUR_MS = 3_600_000;

let clock: VirtualClock;
let log: EventLog;
const controller = new CostController();
beforeEach(async () => {
  clock = new VirtualClock(Date.UTC(2026, 0, 1, 22));
  ({ log } = createMemoryLog({ clock, ids: sequentialIds(1) }));
  const ports = { log, model: foldedModel(log), clock, ids: sequentialIds(2), random: seededRandom(1) };
  await new IntentHandler(ports, 'spec-api').apply(manifest({}, { name: 'small' }), { channel: 'http' });
  await rented(log, { name: 'small', hourly: '1.00' });
  await rented(log, { tenant: 'search', name: 'large', hourly: '2.50' });
  await clock.advance(4 * HOUR_MS);
});

async function ask(query: Readonly<Record<string, string>> = {}): Promise<CostView> {
  const view = await controller.cost(askedBy(log, { clock }), queryOf(operations.getCost, query));
  expect(costView.parse(view)).toEqual(view);
  return view;
}
const held = ({ rows }: CostView): unknown =>
  rows.map(({ day, tenant, deployment, replica, figures }) => [
    day ?? replica ?? deployment ?? tenant,
    figures.map((figure) => figure.held).join(),
  ]);

describe('what was spent', () => {
  test.each([
    [
      'deployment',
      [
        ['default/small', '4.000000'],
        ['search/large', '10.000000'],
      ],
    ],
    [
      'tenant',
      [
        ['default', '4.000000'],
        ['search', '10.000000'],
      ],
    ],
    [
      'replica',
      [
        ['default/small-1-0-1', '4.000000'],
        ['search/large-1-0-1', '10.000000'],
      ],
    ],
    [
      'day',
      [
        ['2026-01-01', '7.000000'],
        ['2026-01-02', '7.000000'],
      ],
    ],
  ])('by %s', async (by, rows) => {
    const view = await ask({ by });
    expect(held(view)).toEqual(rows);
    expect(view.total.figures).toMatchObject([{ currency: 'USD', held: '14.000000', confirmed: '0.000000' }]);
    expect(view.position).toBe(await log.head());
  });

  test('is told of one deployment, one tenant, and the days that were asked for', async () => {
    expect(held(await ask({ deployment: 'small' }))).toEqual([['default/small', '4.000000']]);
    expect(held(await ask({ tenant: 'search' }))).toEqual([['search/large', '10.000000']]);
    expect(held(await ask({ tenant: 'search', deployment: 'small' }))).toEqual([]);
    const day = await ask({ from: '2026-01-01', to: '2026-01-01' });
    expect(held(day)).toEqual([
      ['default/small', '2.000000'],
      ['search/large', '5.000000'],
    ]);
    expect(day.total.closed).toBe(true);
    expect((await ask()).total.closed).toBe(false);
  });

  test('is asked in vain of a deployment that never was', async () => {
    await expect(ask({ deployment: 'nope' })).rejects.toMatchObject({
      status: 404,
      code: 'not-found',
    });
  });

  test('has what nobody owns in a row of its own, and not where one deployment is asked for', async () => {
    const who = { externalKey: 'dv-aaaaa-x', replicaId: null, adapter: 'skypilot' };
    const facts = { reason: 'no-owner', providerId: 'runpod:pod1', phase: 'up', policy: 'report', detail: '' } as const;
    const quarantinedUntil = '2026-01-03T00:00:00.000Z';
    const price = { amount: '0.50', currency: 'USD', unit: 'instance-hour', kind: 'billed', source: 'x' } as const;
    const observedAt = '2026-01-02T02:00:00.000Z';
    const data = { ...who, ...facts, quarantinedUntil, price: { ...price, observedAt } };
    const event = { type: 'davit.resource.orphan-found', data } as const;
    const to = 'resource/skypilot:dv-aaaaa-x@runpod:pod1';
    await log.append([{ stream: to, expectedVersion: 0, events: [event] }], { tenant: 'default', service: 'test' });
    await clock.advance(2 * HOUR_MS);
    const { rows, total } = await ask();
    expect(rows.at(-1)).toMatchObject({ tenant: 'default', deployment: null, replica: null, orphans: 1 });
    expect(rows.at(-1)?.figures).toMatchObject([{ held: '1.000000', confirmed: '0.000000' }]);
    expect(total.evidence.held.positions).toContain(await log.head());
    expect((await ask({ by: 'replica' })).rows.at(-1)).toMatchObject({ replica: to.slice('resource/'.length) });
    expect((await ask({ deployment: 'small' })).total.orphans).toBe(0);
  });

  test('cites the events that it rests on', async () => {
    const [row] = (await ask({ deployment: 'small' })).rows;
    const [position = 0] = row?.evidence.held.positions ?? [];
    expect((await log.read(position - 1, 1))[0]?.type).toBe('davit.resource.launch-accepted');
  });

  test.each([
    ['a day that is none', { from: '2026-02-31' }, '?from'],
    ['text that is no day', { to: 'yesterday' }, '?to'],
    ['days the wrong way round', { from: '2026-01-02', to: '2026-01-01' }, '?from'],
    ['more days than one answer holds', { from: '2020-01-01' }, '?from'],
    ['a group nobody knows', { by: 'hour' }, '?by'],
    ['a tenant that no tenant is called', { tenant: 'No Such' }, '?tenant'],
    ['no citation at all', { cited: '0' }, '?cited'],
    ['a parameter nobody reads', { form: '2026-01-01' }, '?form'],
  ])('%s is refused by name', async (_what, query, path) => {
    await expect(ask({ ...query })).rejects.toMatchObject({
      status: 400,
      errors: [{ path }],
    });
  });
});
