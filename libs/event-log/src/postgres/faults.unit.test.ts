import { expect, test } from '@jest/globals';
import { LogUnavailableError } from '../errors.js';
import { asLogFault, rolledBack } from './faults.js';

const answer = (code: string): Error => Object.assign(new Error('refused'), { code, severity: 'ERROR' });
const system = (code: string): Error => Object.assign(new Error(code), { code });
const wrapped = (driverError: Error): Error => Object.assign(new Error(driverError.message), { driverError });

test.each(['23505', '40001', '40P01', '22P05', '42501'])(
  'a statement refused with SQLSTATE %s left nothing',
  (code) => {
    const error = wrapped(answer(code));
    expect(rolledBack(answer(code))).toBe(true);
    expect(rolledBack(error)).toBe(true);
    expect(asLogFault(error)).toBe(error);
  },
);

test.each([
  ...['08006', '55P03', '57P01', '57P02', '58000', 'XX000'].map((code) => [code, answer(code)] as const),
  ...['ECONNRESET', 'EPIPE'].map((code) => [code, system(code)] as const),
  ['a closed connection', new Error('Connection terminated unexpectedly')] as const,
])('after %s the fate of the commit is unknown', (_, error) => {
  expect(rolledBack(wrapped(error))).toBe(false);
  expect(asLogFault(wrapped(error))).toBeInstanceOf(LogUnavailableError);
});

test('whatever else was thrown says nothing about the commit', () => {
  expect(asLogFault('strange')).toMatchObject({ code: 'log-unavailable', message: expect.stringMatching(/strange/) });
});
