import { expect, test } from '@jest/globals';
import { hourlyLimit } from './hourly-limit.js';

const promised = (amount: string) => ({ maxHourly: { amount, currency: 'USD' } });
const own = (maxHourly: string, currency = 'USD') => ({ maxHourly, currency, onExceed: 'refuse' as const });

test('a rollout may cost the least of what it promises and of what its deployment may cost', () => {
  expect(hourlyLimit(promised('9.00'), own('4.00'))).toEqual({ amount: '4.00', currency: 'USD' });
  expect(hourlyLimit(promised('9.00'), own('10.00'))).toEqual({ amount: '9.00', currency: 'USD' });
  expect(hourlyLimit({}, own('4.00'))).toEqual({ amount: '4.00', currency: 'USD' });
  expect(hourlyLimit(promised('9.00'), null)).toEqual({ amount: '9.00', currency: 'USD' });
  expect(hourlyLimit({}, null)).toBeUndefined();
});

test('amounts of two currencies are not compared', () => {
  expect(hourlyLimit(promised('9.00'), own('4.00', 'EUR'))).toEqual({ amount: '9.00', currency: 'USD' });
});
