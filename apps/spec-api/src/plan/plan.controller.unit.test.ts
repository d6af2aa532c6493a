import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Placement, type PlanView, type StockSignal, planView, stream } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds } from '@davit/ports';
import { IntentHandler } from '../intents/intent-handler.js';
import { askedBy } from '../testing/asked-by.js';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { rented } from '../testing/rented.js';
import { PlanController } from './plan.controller.js';

const ORIGIN = { channel: 'http' } as const;
const AT = '2026-01-01T00:00:00.000Z';

let clock: VirtualClock;
let log: EventLog;
let frontDoor: IntentHandler;
let controller: PlanController;
/** Every question that the advisor was asked. */
let asked: (readonly Placement[])[];
let askedDisk: (number | undefined)[];
beforeEach(() => {
  clock = new VirtualClock(Date.parse(AT));
  const ids = sequentialIds(1);
  ({ log } = createMemoryLog({ clock, ids }));
  const model = foldedModel(log);
  frontDoor = new IntentHandler({ log, model, clock, ids, random: seededRandom(1) }, 'spec-api');
  asked = [];
  askedDisk = [];
  const assess = (placements: readonly Placement[], diskGiB?: number) => {
    asked.push(placements);
    askedDisk.push(diskGiB);
    const signals = new Map(placements.map((_placement, rung) => [rung, signal(rung === 0 ? '0.79' : '1.64')]));
    return Promise.resolve({ signals, missing: null });
  };
  controller = new PlanController({ ids }, assess);
});

const signal = (amount: string): StockSignal => ({
  ...{ state: 'available', source: 'runpod-v2', scope: 'region', level: 'HIGH', detail: '', permanent: false },
  ...{ observedAt: AT, expiresAt: '2026-01-02T00:00:00.000Z' },
  price: { amount, currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'runpod-v2', observedAt: AT },
});
async function planned(spec: object = {}): Promise<PlanView> {
  const view = await controller.plan(askedBy(log, { clock }), { deployment: manifest(spec) });
  expect(planView.parse(view)).toEqual(view);
  return view;
}
async function limit(maxHourly: string): Promise<void> {
  const budget = { maxHourly, currency: 'USD', onExceed: 'refuse' } as const;
  const intentId = '00000000-0000-7000-8000-000000000001';
  const events = [{ type: 'davit.tenant.budget-set', data: { intentId, budget } }] as const;
  await log.append([{ stream: stream.tenant('default'), expectedVersion: 'any', events }], {
    tenant: 'default',
    service: 'x',
  });
}

describe('planning', () => {
  test('writes nothing, and asks nothing but what a placement is like now', async () => {
    await frontDoor.apply({ deployment: manifest() }, ORIGIN);
    const head = await log.head();
    await planned({ scaling: { replicas: 5 } });
    expect(await log.head()).toBe(head);
    expect(asked).toHaveLength(1);
    expect(askedDisk).toEqual([100]);
  });

  test('counts what already runs of it: only what is missing is placed, and the rate of the rest is what it is', async () => {
    await frontDoor.apply({ deployment: manifest({ scaling: { replicas: 1 } }) }, ORIGIN);
    await rented(log, { name: 'qwen3-8b', hourly: '0.50' });
    const view = await planned({ scaling: { replicas: 3 } });
    expect(view.placed).toEqual([{ rung: 0, replicas: 2 }]);
    expect(view.spend.chosenHourly).toBe('2.08');
  });

  test('counts what a surge holds at once, and that going in place holds less', async () => {
    await frontDoor.apply({ deployment: manifest({ scaling: { replicas: 1 } }) }, ORIGIN);
    await rented(log, { name: 'qwen3-8b', hourly: '0.50' });
    const other = { scaling: { replicas: 1 }, model: { id: 'Qwen/Qwen3-4B' } };
    expect((await planned(other)).spend.duringRollout).toEqual({ machines: 2, hourly: '2.14' });
    const inPlace = await planned({ ...other, rollout: { strategy: 'in-place' } });
    expect(inPlace.spend.duringRollout).toEqual({ machines: 1, hourly: '1.64' });
    const budget = { maxHourly: '1.20' };
    expect((await planned({ ...other, budget })).budgets[0]?.verdict).toBe('exceeds');
    const roomy = await planned({ ...other, budget, rollout: { strategy: 'in-place' } });
    expect(roomy.budgets[0]?.verdict).toBe('may-exceed');
  });

  test('holds the budget of the tenant against it, with what its other deployments hold', async () => {
    await rented(log, { name: 'other', hourly: '3.00' });
    await limit('4.50');
    const view = await planned({ scaling: { replicas: 2 } });
    expect(view.budgets).toMatchObject([{ of: 'tenant', name: 'default', heldHourly: '3.00', verdict: 'exceeds' }]);
    expect(view.budgets[0]?.detail).toContain('at least 1.58 USD an hour');
    expect(view.placed).toEqual([
      { rung: 0, replicas: 1 },
      { rung: null, replicas: 1 },
    ]);
  });

  test('says what would wait and names the age of what it rests on', async () => {
    await clock.advance(90_000);
    const [first] = (await planned()).rungs;
    expect(first).toMatchObject({ verdict: 'chosen', ageMs: 90_000, price: { status: 'fresh', ageMs: 90_000 } });
  });
});
