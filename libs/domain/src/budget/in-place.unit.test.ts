import { describe, expect, it } from '@jest/globals';
import { Fleet, KEY } from '../testing/fleet.js';

const id = (slot: string): string => `${KEY}-${slot}`;
const NEXT = 'Qwen/Qwen3-14B';

/** Two machines at 2 an hour each, of a deployment without spare capacity, under this ceiling. */
function served(maxHourly: string): { readonly fleet: Fleet; readonly declare: (model?: string) => Fleet } {
  const fleet = new Fleet();
  const budget = { maxHourly, currency: 'USD', onExceed: 'refuse' };
  const declare = (model?: string): Fleet =>
    fleet.declare({ replicas: 2, strategy: 'in-place', budget, ...(model === undefined ? {} : { model }) }).settle();
  declare();
  for (const slot of ['1-0-1', '1-1-1']) fleet.bringUp(id(slot)).bill(id(slot), '2');
  return { fleet, declare };
}

describe('a rollout in place under a budget', () => {
  it('goes on where the budget is used to the last cent: each old machine leaves room for its successor', () => {
    const { fleet, declare } = served('4');
    declare(NEXT);
    expect(fleet.statuses()).toEqual({ '1-0-1': 'draining', '1-1-1': 'ready' });
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({ reason: 'MakingRoom' });
    fleet.later(10_000).settle().proveGone(id('1-0-1')).bringUp(id('2-0-1')).bill(id('2-0-1'), '2').settle();
    expect(fleet.statuses()).toMatchObject({ '1-1-1': 'draining', '2-0-1': 'ready' });
  });

  it('ends nothing that serves where its room would still not be enough', () => {
    const { fleet, declare } = served('4');
    // The bill has risen so far that what one machine leaves is still above the ceiling.
    for (const slot of ['1-0-1', '1-1-1']) fleet.bill(id(slot), '5');
    declare(NEXT);
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready', '1-1-1': 'ready' });
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({ reason: 'HeldByBudget' });
  });
});
