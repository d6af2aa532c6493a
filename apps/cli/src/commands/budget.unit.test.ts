import { afterEach, describe, expect, test } from '@jest/globals';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

async function davit(answers: Parameters<typeof answering>[0], ...argv: string[]): Promise<number> {
  api = await answering(answers);
  return run([...argv, '--url', api.url]);
}
const accepted = {
  ...{ outcome: 'accepted', intentId: '00000000-0000-4000-8000-000000000001', changed: true, position: 9 },
  about: 'tenant/search',
};
const row = {
  ...{ of: 'tenant', name: 'search', tenant: 'search', since: '2026-09-01T16:00:00.000Z', state: 'near' },
  limits: { maxHourly: '5', currency: 'USD', onExceed: 'drain' },
  ...{ heldHourly: '4.50', heldTotal: '12.000000', confirmedTotal: '11.000000', machines: 2, unjudged: 0 },
  ...{ hourlyLeft: '0.50', totalLeft: null, exhaustedAt: null, heldBack: ['search/q 1/2'], position: 7 },
  why: '2 machines of tenant search hold 4.50 of 5 USD an hour',
};

describe('budgets', () => {
  test('are shown with what is held, confirmed and left, and what waits for room', async () => {
    expect(await davit({ 'GET /v1/budgets': () => ({ position: 7, items: [row] }) }, 'budget', 'get')).toBe(0);
    expect(printed.out()).toMatch(/tenant search +near +4\.50 +0\.50 +12\.000000 +11\.000000 +– +–\n +2 machines/);
    expect(printed.out()).toMatch(/; above it: drain; waits for room:\s+search\/q 1\/2/);
  });

  test('of one tenant are asked for as such, and none is told as none', async () => {
    const answers = { 'GET /v1/budgets': () => ({ position: 7, items: [] }) };
    expect(await davit(answers, 'budget', 'get', '--tenant', 'search')).toBe(0);
    expect(api?.asked).toEqual(['GET /v1/budgets?tenant=search']);
    expect(printed.out()).toBe('no budgets\n');
  });

  test('are set and cleared', async () => {
    const answers = { 'POST /v1/intents/tenant/set-budget': () => accepted };
    const limits = ['--max-hourly', '5', '--on-exceed', 'drain', '--alarm-at', '0.9'];
    expect(await davit(answers, 'budget', 'set', '--tenant', 'search', ...limits)).toBe(0);
    expect(printed.out()).toContain('all deployments of tenant search share it from now on');
    api?.close();
    const clear = { 'POST /v1/intents/tenant/clear-budget': () => accepted };
    expect(await davit(clear, 'budget', 'clear', '--tenant', 'search')).toBe(0);
    expect(printed.out()).toContain('no ceiling any more');
  });
});
