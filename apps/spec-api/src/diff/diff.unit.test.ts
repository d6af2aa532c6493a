import { beforeEach, describe, expect, test } from '@jest/globals';
import { diffView, stream } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds } from '@davit/ports';
import type { Principal } from '../asking/principal.js';
import { IntentHandler } from '../intents/intent-handler.js';
import { askedBy } from '../testing/asked-by.js';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { rented } from '../testing/rented.js';
import { DiffController } from './diff.controller.js';

const HOUR_MS = 3_600_000;
const HTTP = { channel: 'http', actor: 'ci' } as const;
const controller = new DiffController();

let clock: VirtualClock;
let log: EventLog;
let handler: IntentHandler;
beforeEach(() => {
  clock = new VirtualClock(Date.UTC(2026, 0, 1, 22));
  ({ log } = createMemoryLog({ clock, ids: sequentialIds(1) }));
  const ports = { log, model: foldedModel(log), clock, ids: sequentialIds(2), random: seededRandom(1) };
  handler = new IntentHandler(ports, 'spec-api');
});

const diff = async (from: number, to: number | undefined, deployment?: string, principal?: Principal) => {
  const asking = askedBy(log, { clock, ...(principal ? { principal } : {}) });
  const ends = { from: String(from), ...(to === undefined ? {} : { to: String(to) }) };
  const view = await controller.diff(asking, {
    ...ends,
    limit: 100,
    ...(deployment === undefined ? {} : { deployment }),
  });
  return diffView.parse(view);
};

describe('what changed between two moments', () => {
  test('is told field by field, with the event and who asked for it, and with what it cost', async () => {
    await handler.apply(manifest({ scaling: { replicas: 1 } }, { name: 'small' }), HTTP);
    await rented(log, { name: 'small', hourly: '1.00' });
    const from = await log.head();
    await clock.advance(HOUR_MS);
    await handler.apply(manifest({ scaling: { replicas: 3 } }, { name: 'small' }), HTTP);
    const declared = (await log.readStream(stream.deployment('default/small'))).at(-1);
    await clock.advance(HOUR_MS);
    const view = await diff(from, undefined);
    const [item] = view.items;
    expect(item).toMatchObject({ kind: 'deployment', name: 'default/small', change: 'changed' });
    expect(item?.fields.find(({ field }) => field === 'spec.spec.scaling.replicas')).toMatchObject({
      ...{ before: 1, after: 3 },
      by: { position: declared?.position, type: 'davit.deployment.declared', actor: 'ci' },
    });
    expect(view.items).toHaveLength(1);
    expect(view.costs).toMatchObject([
      {
        deployment: 'default/small',
        spent: [{ currency: 'USD', amount: '2.000000' }],
        hourlyAfter: [{ currency: 'USD', amount: '1.00' }],
      },
    ]);
  });

  test('appears with what it is, and goes', async () => {
    await handler.apply(manifest({}, { name: 'small' }), HTTP);
    const raise = { alarm: 'waiting-long', about: 'default/small', detail: 'x' };
    const alarms = (type: 'raised' | 'cleared') =>
      log.append(
        [
          {
            ...{ stream: stream.fleetAlarms, expectedVersion: 'any' },
            events: [
              type === 'raised'
                ? { type: 'davit.fleet.alarm-raised', data: { ...raise, severity: 'warning' } }
                : { type: 'davit.fleet.alarm-cleared', data: raise },
            ],
          },
        ],
        { tenant: 'default', service: 'x' },
      );
    const before = await log.head();
    await alarms('raised');
    const up = await log.head();
    await alarms('cleared');
    expect((await diff(before, up)).items).toMatchObject([
      { kind: 'alarm', change: 'appeared', deployment: 'default/small' },
    ]);
    expect((await diff(up, undefined)).items).toMatchObject([{ kind: 'alarm', change: 'gone' }]);
    expect((await diff(before, undefined)).items).toEqual([]);
    expect((await diff(up, up)).items).toEqual([]);
  });

  test('is told of one deployment alone, and to who may see it', async () => {
    await handler.apply(manifest({}, { name: 'first' }), HTTP);
    await handler.apply(manifest({}, { name: 'other', tenant: 'globex' }), HTTP);
    const names = async (deployment?: string, tenants?: readonly string[]) => {
      const principal = tenants && ({ actor: 'x', role: 'viewer', tenants } as const);
      return (await diff(1, undefined, deployment, principal)).items.map(({ name }) => name);
    };
    expect(await names()).toEqual(['default/first', 'globex/other']);
    expect(await names('default/first')).toEqual(['default/first']);
    expect(await names(undefined, ['globex'])).toEqual(['globex/other']);
    await expect(names('default/first', ['globex'])).rejects.toMatchObject({ status: 404 });
  });

  test('from before the first event is a difference from nothing', async () => {
    const begin = new Date(clock.nowMs() - HOUR_MS).toISOString();
    expect(await controller.diff(askedBy(log, { clock }), { from: begin, limit: 100 })).toMatchObject({
      ...{ from: { position: 0, at: begin }, to: { position: 0 }, items: [], events: 0 },
    });
    await handler.apply(manifest({}, { name: 'first' }), HTTP);
    const head = await log.head();
    for (const from of [begin, '0']) {
      const view = await controller.diff(askedBy(log, { clock }), { from, limit: 100 });
      expect(diffView.parse(view)).toMatchObject({ from: { position: 0 }, to: { position: head }, events: head });
      expect(view.items).toMatchObject([{ kind: 'deployment', name: 'default/first', change: 'appeared' }]);
    }
    await expect(diff(1, 0)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('lies before') });
  });

  test('from a later moment to an earlier one is refused with the remedy', async () => {
    await handler.apply(manifest({}, { name: 'first' }), HTTP);
    await expect(diff(2, 1)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('lies after') });
  });
});
