import { beforeEach, describe, expect, test } from '@jest/globals';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { seededRandom, sequentialIds, systemClock } from '@davit/ports';
import { foldedModel } from '../testing/folded-model.js';
import { IntentHandler } from './intent-handler.js';

const HTTP = { channel: 'http' } as const;
const budget = { maxHourly: '4.00', maxTotal: '500' };
const NORMALISED = { ...budget, currency: 'USD', onExceed: 'refuse' };

let log: EventLog;
let handler: IntentHandler;
beforeEach(() => {
  ({ log } = createMemoryLog({ clock: systemClock, ids: sequentialIds(1) }));
  const ids = sequentialIds(2);
  handler = new IntentHandler(
    { log, model: foldedModel(log), clock: systemClock, ids, random: seededRandom(1) },
    'spec-api',
  );
});
const written = async (): Promise<readonly unknown[]> =>
  (await log.read(0, 1_000)).flatMap(({ type, stream, tenant, data }) =>
    type === 'davit.tenant.budget-set' ? [{ stream, tenant, budget: data.budget }] : [],
  );

describe('an order to set the budget of a tenant', () => {
  test('is written for that tenant, once', async () => {
    const first = await handler.setBudget({ tenant: 'acme', budget }, HTTP);
    expect(first).toMatchObject({ outcome: 'accepted', about: 'tenant/acme', changed: true });
    expect(await handler.setBudget({ tenant: 'acme', budget }, HTTP)).toMatchObject({ changed: false });
    expect(await written()).toEqual([{ stream: 'tenant/acme', tenant: 'acme', budget: NORMALISED }]);
  });

  test('with the same key gives the same answer, whatever came between', async () => {
    const keyed = { ...HTTP, idempotencyKey: 'k' };
    const first = await handler.setBudget({ budget }, keyed);
    await handler.clearBudget({}, HTTP);
    expect(await handler.setBudget({ budget }, keyed)).toEqual(first);
    expect(await handler.setBudget({ budget: { maxTotal: '1' } }, keyed)).toMatchObject({
      code: 'idempotency-conflict',
    });
    expect(await written()).toHaveLength(2);
  });

  test.each([
    [{}, 'budget', 'is missing', ''],
    [{ budget: {} }, 'budget', 'without a ceiling', 'Write maxHourly, maxTotal, or both'],
    [{ budget: { maxHourly: 4 } }, 'budget.maxHourly', '4 is not an amount', 'digits in quotes'],
    [{ budget: { maxHourly: '-1' } }, 'budget.maxHourly', '"-1" is not an amount', 'digits in quotes'],
    [{ budget: { maxTotal: '1', currency: 'usd' } }, 'budget.currency', '"usd" is not a currency', 'three capitals'],
    [{ budget: { maxTotal: '1', onExceed: 'kill' } }, 'budget.onExceed', '"kill"', 'refuse, drain'],
    [{ budget: { maxTotal: '1', alarmAt: 80 } }, 'budget.alarmAt', '80 is more than 1', 'at most 1'],
    [{ budget: { maxTotl: '1' } }, 'budget.maxTotl', 'not a known key', 'maxTotal'],
    [{ budget, tenant: 'A B' }, 'tenant', '"A B" is not a name', 'lower-case'],
  ])('that is wrong names the field, the value and the remedy: %j', async (body, path, message, remedy) => {
    const answer = await handler.setBudget(body, HTTP);
    expect(answer).toMatchObject({ outcome: 'rejected', code: 'invalid-intent' });
    const problems = answer.outcome === 'rejected' ? answer.problems : [];
    expect(problems.find((problem) => problem.path === path)).toMatchObject({
      message: expect.stringContaining(message),
      remedy: expect.stringContaining(remedy),
    });
    expect(await written()).toEqual([]);
  });
});

describe('an order to clear the budget of a tenant', () => {
  test('takes it away, and is refused where there is none', async () => {
    expect(await handler.clearBudget({}, HTTP)).toMatchObject({
      ...{ outcome: 'rejected', code: 'not-found' },
      problems: [{ remedy: expect.stringContaining('davit budget get') }],
    });
    await handler.setBudget({ budget }, HTTP);
    expect(await handler.clearBudget({}, HTTP)).toMatchObject({ outcome: 'accepted', changed: true });
    expect(await written()).toMatchObject([{ budget: NORMALISED }, { budget: null }]);
  });
});
