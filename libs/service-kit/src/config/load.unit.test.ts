import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { commonConfig } from './common.js';
import { durationVariable, wholeNumber } from './fields.js';
import { ConfigError, loadConfig } from './load.js';

const NEEDED = { DATABASE_URL: 'postgres://u:p@h:5432/d', NATS_URL: 'nats://h:4222' };

function problemsOf(schema: z.ZodObject, environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(schema, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('configuration', () => {
  test('what is not set has its default; an empty variable counts as not set', () => {
    const config = loadConfig(commonConfig, { ...NEEDED, PORT: '', LOG_LEVEL: '' });
    expect(config).toMatchObject({ PORT: 0, HOST: '127.0.0.1', LOG_LEVEL: 'info', DAVIT_INSTALLATION: 'davit' });
  });

  test('two processes without a name of their own have different ones', () => {
    const name = () => loadConfig(commonConfig, NEEDED).DAVIT_INSTANCE;
    expect(name()).not.toBe(name());
  });

  test('several brokers may be listed', () => {
    expect(problemsOf(commonConfig, { ...NEEDED, NATS_URL: 'nats://a:1, tls://b:2' })).toEqual([]);
  });

  test('every mistake is told at once, with variable, value and remedy', () => {
    expect(problemsOf(commonConfig, { NATS_URL: 'http://h', PORT: '70000', LOG_LEVEL: 'loud' })).toEqual([
      'DATABASE_URL is not set. Set an address, for example "postgres://davit:…@127.0.0.1:5432/davit".',
      'NATS_URL: "http://h" is not usable. Set an address, for example "nats://127.0.0.1:4222".',
      'PORT: "70000" is not usable. Set a whole number from 0 to 65535.',
      'LOG_LEVEL: "loud" is not one of: debug, info, warn, error, silent.',
    ]);
  });

  test.each(['1.5', '-1', '0x10', '1e3', ' 1', '99999999999999999999'])('%j is not a whole number', (value) => {
    expect(problemsOf(z.object({ N: wholeNumber(0, 10) }), { N: value })).toHaveLength(1);
  });

  test('durations carry a unit and stay within bounds', () => {
    const schema = z.object({ D: durationVariable(100, 60_000) });
    expect(loadConfig(schema, { D: '2s' })).toEqual({ D: 2_000 });
    for (const value of ['2', '50ms', '2m', 's', '1h30m']) expect(problemsOf(schema, { D: value })).toHaveLength(1);
  });

  test('neither passwords in addresses nor values of secrets are shown', () => {
    const schema = commonConfig.extend({
      RUNPOD_API_KEY: z.string().regex(/^rp_/, { error: 'is not usable. Set a key.' }),
    });
    const problems = problemsOf(schema, {
      ...NEEDED,
      DATABASE_URL: 'mysql://user:canary-51@h/d',
      RUNPOD_API_KEY: 'canary-52',
    });
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain('canary');
  });
});
