import { beforeEach, describe, expect, test } from '@jest/globals';
import { type BudgetView, budgetView, operations } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds } from '@davit/ports';
import { IntentHandler } from '../intents/intent-handler.js';
import { queryOf } from '../operations/reading.js';
import { askedBy } from '../testing/asked-by.js';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { rented } from '../testing/rented.js';
import { BudgetsController } from './budgets.controller.js';

const HOUR_MS = 3_600_000;
const HTTP = { channel: 'http' } as const;

let clock: VirtualClock;
let log: EventLog;
let handler: IntentHandler;
const controller = new BudgetsController();
beforeEach(() => {
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  ({ log } = createMemoryLog({ clock, ids: sequentialIds(1) }));
  const model = foldedModel(log);
  handler = new IntentHandler({ log, model, clock, ids: sequentialIds(2), random: seededRandom(1) }, 'spec-api');
});

async function ask(query: Readonly<Record<string, string>> = {}): Promise<readonly BudgetView[]> {
  const { items } = await controller.budgets(askedBy(log, { clock }), queryOf(operations.listBudgets, query));
  for (const item of items) expect(budgetView.parse(item)).toEqual(item);
  return items;
}

describe('the budgets that are set', () => {
  test('tell what is held, confirmed and left, of tenants and of deployments', async () => {
    const budget = { maxHourly: '3', currency: 'USD' };
    await handler.apply(manifest({ budget }, { name: 'small' }), HTTP);
    await handler.setBudget({ budget: { maxTotal: '100', onExceed: 'drain' } }, HTTP);
    await rented(log, { name: 'small', hourly: '2.00' });
    await rented(log, { tenant: 'search', name: 'large', hourly: '50' });
    await clock.advance(4 * HOUR_MS);
    expect(await ask()).toMatchObject([
      {
        ...{ of: 'tenant', name: 'default', state: 'within', heldTotal: '8.000000', confirmedTotal: '0' },
        ...{ hourlyLeft: null, totalLeft: '92.000000', machines: 1 },
        exhaustedAt: new Date(Date.UTC(2026, 0, 3, 2) + 1_000).toISOString(),
      },
      {
        ...{ of: 'deployment', name: 'default/small', tenant: 'default', heldHourly: '2.00', hourlyLeft: '1.00' },
        why: '1 machine of deployment default/small holds 2.00 of 3 USD an hour',
      },
    ]);
    expect(await ask({ tenant: 'search' })).toEqual([]);
  });

  test('refuse a filter that nobody reads', () => {
    expect(() => queryOf(operations.listBudgets, { tennant: 'x' })).toThrow(/\?tennant is not a known key/);
  });
});
