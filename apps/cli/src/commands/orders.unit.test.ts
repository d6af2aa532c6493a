import { afterEach, describe, expect, test } from '@jest/globals';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';
import { named } from './orders.js';

const printed = collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

const SINCE = '2026-09-01T16:00:00.000Z';
const orphan = (providerId: string) => ({
  key: `skypilot:dv-abcde-k@${providerId}`,
  tenant: 'default',
  externalKey: 'dv-abcde-k',
  adapter: 'skypilot',
  providerId,
  replica: null,
  reason: 'no-owner',
  policy: 'approve',
  state: 'quarantined',
  since: SINCE,
  quarantinedUntil: SINCE,
  approvedAt: null,
  price: null,
  why: 'the log never asked for it; waits for approval',
  position: 7,
});
const alarm = {
  alarm: 'blind',
  about: 'runpod',
  tenant: 'default',
  severity: 'critical',
  detail: 'no answer',
  since: SINCE,
  position: 3,
};
const accepted = {
  outcome: 'accepted',
  intentId: '00000000-0000-4000-8000-000000000001',
  changed: true,
  position: 9,
};
const list =
  (...items: readonly object[]) =>
  () => ({ position: 9, items });

async function davit(answers: Parameters<typeof answering>[0], ...argv: string[]): Promise<number> {
  api = await answering(answers);
  return run([...argv, '--url', api.url]);
}

describe('orphans', () => {
  test('are shown with their keys and with what happens next', async () => {
    const answers = { 'GET /v1/orphans': list(orphan('p1')), 'GET /v1/alarms': list() };
    expect(await davit(answers, 'orphans')).toBe(0);
    expect(printed.out()).toMatch(/skypilot:dv-abcde-k@p1 +quarantined .* over +approve .*waits for approval/);
  });

  test('none are not claimed where the inventory cannot be read', async () => {
    expect(await davit({ 'GET /v1/orphans': list(), 'GET /v1/alarms': list(alarm) }, 'orphans')).toBe(0);
    expect(printed.out()).toBe(`no orphans\nnot known for runpod: its inventory cannot be read since ${SINCE}\n`);
  });

  test('may be named by what the provider calls them', async () => {
    const answers = {
      'GET /v1/orphans': list(orphan('p1'), orphan('p2')),
      'POST /v1/intents/orphan/reap': () => ({ ...accepted, about: 'skypilot:dv-abcde-k@p2' }),
    };
    expect(await davit(answers, 'orphans', 'reap', 'p2', '--reason', 'mine')).toBe(0);
    expect(printed.out()).toContain('skypilot:dv-abcde-k@p2 is deleted once its quarantine is over');
  });

  test.each([
    ['a name that several have', 'dv-abcde-k', 'Write one of: skypilot:dv-abcde-k@p1, skypilot:dv-abcde-k@p2'],
    ['a name that none has', 'nothing', 'as `davit orphans` shows it'],
  ])('%s is refused before anything is asked for', async (_what, name, remedy) => {
    const answers = { 'GET /v1/orphans': list(orphan('p1'), orphan('p2')) };
    expect(await davit(answers, 'orphans', 'reap', name, '--reason', 'mine')).toBe(3);
    expect(printed.err()).toContain(remedy);
    expect(api?.asked).toEqual(['GET /v1/orphans?all=false']);
  });

  test('are not reaped without a reason', async () => {
    expect(await davit({}, 'orphans', 'reap', 'p1')).toBe(2);
    expect(api?.asked).toEqual([]);
  });
});

describe('the fleet', () => {
  const frozen = { since: SINCE, detail: '5 of 6 lost in one minute' };
  const view = { serving: 1, losses: [{ replica: 'default/q-1-0-1', at: SINCE }], thawOrdered: null, position: 4 };

  test('that is frozen says why, and how it goes on', async () => {
    expect(await davit({ 'GET /v1/fleet': () => ({ ...view, frozen }) }, 'fleet')).toBe(0);
    expect(printed.out()).toMatch(/^FROZEN for .*: 5 of 6 lost in one minute\n/);
    expect(printed.out()).toContain('davit fleet thaw --reason');
  });

  test('that is not says how much serves', async () => {
    expect(await davit({ 'GET /v1/fleet': () => ({ ...view, frozen: null }) }, 'fleet')).toBe(0);
    expect(printed.out()).toContain('1 replica serves; not frozen');
  });

  test('is thawed with a reason', async () => {
    const answers = { 'POST /v1/intents/fleet/thaw': () => ({ ...accepted, about: 'fleet' }) };
    expect(await davit(answers, 'fleet', 'thaw', '--reason', 'really gone')).toBe(0);
    expect(printed.out()).toContain('the fleet goes on');
  });
});

test('alarms are shown with what they are about', async () => {
  expect(await davit({ 'GET /v1/alarms': list(alarm) }, 'alarms')).toBe(0);
  expect(printed.out()).toMatch(/blind +critical .* runpod +no answer/);
});

test('cancel and retry say what follows', async () => {
  const answer = { ...accepted, deployment: 'default/q', revision: 2, generation: 4 };
  expect(await davit({ 'POST /v1/intents/deployment/cancel': () => answer }, 'cancel', 'q')).toBe(0);
  expect(printed.out()).toContain('q goes back to what revision 2 is made of');
  api?.close();
  expect(await davit({ 'POST /v1/intents/deployment/retry': () => answer }, 'retry', 'q')).toBe(0);
  expect(printed.out()).toContain('may cost again');
});

test('scale, pause and resume say what follows, and whether it was so before', async () => {
  const answer = { ...accepted, deployment: 'default/q', revision: 2, generation: 4 };
  expect(await davit({ 'POST /v1/intents/deployment/scale': () => answer }, 'scale', 'q', '3')).toBe(0);
  expect(printed.out()).toContain('q is to have 3 replicas (generation 4)');
  api?.close();
  const pause = { 'POST /v1/intents/deployment/pause': () => answer };
  expect(await davit(pause, 'pause', 'q', '--reason', 'a look')).toBe(0);
  expect(printed.out()).toContain('Go on with: davit resume q');
  api?.close();
  const resume = { 'POST /v1/intents/deployment/resume': () => ({ ...answer, changed: false }) };
  expect(await davit(resume, 'resume', 'q')).toBe(0);
  expect(printed.out()).toContain(', it was not paused');
});

test('delete --plan shows what would be withdrawn, drained and deleted, and what bills, and orders nothing', async () => {
  const replica = {
    ...{ id: 'default/q-1-0-1', externalKey: 'dv-a', adapter: 'skypilot', state: 'serving', step: 'drain' },
    ...{ drainUntil: SINCE, running: 3, keepsRunning: false, billing: true, price: null },
  };
  const plan = {
    ...{ deployment: 'default/q', status: 'active', generation: 1, rollout: null, position: 7 },
    routes: [{ alias: 'default/q', withdrawn: [replica.id], left: 0 }],
    replicas: [replica, { ...replica, id: 'default/q-1-1-1', state: 'launching', step: 'delete', drainUntil: null }],
    billing: { hourly: [{ amount: '1.5800', currency: 'USD' }], unpriced: 1 },
    notes: ['Each counts as billing until its absence is proven.'],
  };
  expect(await davit({ 'POST /v1/plan/delete': () => plan }, 'delete', 'q', '--plan')).toBe(0);
  expect(printed.out()).toContain('default/q: 1 target withdrawn, nothing serves it then');
  expect(printed.out()).toMatch(/q-1-0-1 +serving +drained of 3 requests until 16:00:00, then deleted +unknown/);
  expect(printed.out()).toMatch(/q-1-1-1 +launching +deleted/);
  expect(printed.out()).toContain('1.58 USD an hour and 1 at an unknown price, until proven gone');
  expect(api?.asked).toEqual(['POST /v1/plan/delete']);
});

test.each([
  ['a number of replicas that is none', ['scale', 'q', 'many']],
  ['a pause without a reason', ['pause', 'q']],
])('%s is refused before anything is asked for', async (_what, argv) => {
  expect(await davit({}, ...argv)).toBe(2);
  expect(api?.asked).toEqual([]);
});

test.each([
  ['q', { tenant: 'search', name: 'q' }],
  ['team/q', { tenant: 'team', name: 'q' }],
])('a deployment may be named as messages name it: %s', (text, expected) => {
  expect(named(text, 'search')).toEqual(expected);
});
