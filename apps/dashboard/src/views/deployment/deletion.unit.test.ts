import { describe, expect, test } from '@jest/globals';
import type { DeletionPlan } from '@davit/contracts';
import { billsText, fateText, priceText, withdrawalText } from './deletion.js';

const going: DeletionPlan['replicas'][number] = {
  id: 'default/qwen-1-0-1',
  externalKey: 'davit-default-qwen-1-0-1',
  adapter: 'skypilot',
  state: 'serving',
  step: 'drain',
  drainUntil: null,
  running: 3,
  keepsRunning: false,
  billing: true,
  price: null,
};

describe('the plan of a deletion', () => {
  test('tells what is left to serve under an alias', () => {
    const route = { alias: 'default/qwen', withdrawn: ['default/qwen-1-0-1'], left: 0 };
    expect(withdrawalText(route)).toBe('1 target is withdrawn; nothing serves it then');
    expect(withdrawalText({ ...route, withdrawn: ['a', 'b'], left: 2 })).toBe(
      '2 targets are withdrawn; 2 of other deployments stay',
    );
  });

  test('tells what becomes of a replica, and does not take an unknown number of requests for none', () => {
    expect(fateText(going)).toBe('drained of 3 requests until its deadline, then deleted');
    expect(fateText({ ...going, running: null })).toContain('how many is not known');
    expect(fateText({ ...going, step: 'delete' })).toBe('deleted');
    expect(fateText({ ...going, step: 'delete', keepsRunning: true })).toBe('let go, keeps running');
    expect(fateText({ ...going, step: 'leaving' })).toBe('on its way out already');
  });

  test('does not take an unknown price for nothing', () => {
    expect(priceText(going)).toBe('unknown');
    expect(priceText({ ...going, billing: false })).toBe('–');
    expect(billsText({ hourly: [], unpriced: 0 })).toBe('nothing');
    expect(billsText({ hourly: [{ amount: '3.16', currency: 'USD' }], unpriced: 1 })).toBe(
      '$3.16 an hour, and 1 machine at an unknown price',
    );
  });
});
