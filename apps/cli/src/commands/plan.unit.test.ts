import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { PlanCandidate, PlanView } from '@davit/contracts';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
let api: Answering | undefined;
let folder: string;
const file = (name: string): string => path.join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'davit-plan-'));
  writeFileSync(file('a.yaml'), 'kind: Deployment\n');
  writeFileSync(file('b.yaml'), 'kind: Deployment\n');
  writeFileSync(file('broken.yaml'), 'kind: [\n');
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => api?.close());

const AT = '2026-11-30T00:00:00.000Z';
const candidate: PlanCandidate = {
  ...{ rung: 0, verdict: 'chosen', reason: 'first of the ladder that nothing speaks against', ageMs: 4_000 },
  ...{ confidence: 0.5, scores: { cost: '0.79 USD' } },
  placement: {
    cloud: 'runpod',
    region: 'US',
    accelerator: { name: 'L40S', count: 1 },
    spot: false,
    maxHourlyPrice: '0.95',
  },
  signal: {
    ...{ state: 'available', source: 'runpod-v2', scope: 'global', level: 'HIGH', detail: '', permanent: false },
    ...{ observedAt: AT, expiresAt: AT, price: null },
  },
  price: {
    ...{ status: 'fresh', ageMs: 4_000, detail: '' },
    price: {
      ...{ amount: '0.7900', currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'runpod-v2' },
      ...{ observedAt: AT, market: 'on-demand', storage: 'included' },
    },
  },
};
const view = (change: Partial<PlanView> = {}): PlanView => ({
  ...{ deployment: 'default/qwen', change: 'new', revision: 1, replicas: { from: 0, to: 2 }, differences: [] },
  ...{
    rungs: [candidate],
    placed: [
      { rung: 0, replicas: 1 },
      { rung: null, replicas: 1 },
    ],
    budgets: [],
    notes: [],
  },
  ...{ rollout: null },
  spend: {
    ...{ currency: 'USD', chosenHourly: '1.58', worstCaseHourly: '3.28', worstCaseDaily: '78.72', worstCaseRung: 0 },
    ...{ duringRollout: { machines: 4, hourly: '4.86' }, ceilingHourly: '4.00', ceilingTotal: '32.80' },
    ...{ hoursUntilTotal: '10.0', failedStarts: '0.50' },
  },
  ...change,
});
const above: PlanView['budgets'] = [
  {
    ...{ of: 'tenant', name: 'default', heldHourly: '3.00', heldTotal: '9', certainHourly: '1.58', verdict: 'exceeds' },
    limits: { maxHourly: '4.50', currency: 'USD', onExceed: 'refuse' },
    detail: 'this adds at least 1.58 USD an hour, which is above what is left',
  },
];
async function planned(views: readonly PlanView[], ...argv: readonly string[]): Promise<number> {
  const left = [...views];
  api = await answering({ 'POST /v1/plan': () => left.shift() ?? view() });
  return run(['plan', '--url', api.url, ...argv]);
}

describe('davit plan', () => {
  test('tells each placement with what is known of it, where replicas go, and what they cost at most', async () => {
    expect(await planned([view()], '-f', file('a.yaml'))).toBe(0);
    const text = printed.out();
    expect(text).toMatch(/✓ runpod US L40S +chosen +available +runpod-v2, global, 4s ago/);
    expect(text).toMatch(/0\.79 USD, at most 0\.95\n +price quoted by runpod-v2 4s ago, on-demand, storage included/);
    expect(text).toContain('first of the ladder that nothing speaks against; confidence 0.5 (cost 0.79 USD)');
    expect(text).toContain('placed  1 × runpod US L40S, 1 would wait');
    expect(text).toContain('worst case 3.28 USD/h, 78.72 USD a day, all on runpod US L40S');
    expect(text).toContain('ceiling 32.80 USD in all, used up after 10.0 hours of that');
    expect(text).toContain('at most 4.86 USD/h on 4 machines while revisions change');
    expect(text).toContain(`No side effects. Apply with: davit apply -f ${file('a.yaml')}`);
  });

  test('law-04: what is not known is told as such, and never as zero', async () => {
    const unknown: PlanCandidate = {
      ...candidate,
      ageMs: null,
      price: { status: 'missing', price: null, ageMs: null, detail: '' },
    };
    const spend = {
      ...view().spend,
      chosenHourly: null,
      worstCaseHourly: null,
      worstCaseDaily: null,
      worstCaseRung: null,
    };
    await planned([view({ rungs: [unknown], spend })], '-f', file('a.yaml'));
    expect(printed.out()).toMatch(/nobody +not known, at most 0\.95/);
    expect(printed.out()).toContain('not known where replicas would be placed now');
    expect(printed.out()).toContain('worst case not known');
  });

  test('that is certain to spend above a budget says so, with the code of a refusal', async () => {
    expect(await planned([view({ budgets: above })], '-f', file('a.yaml'))).toBe(3);
    expect(printed.out()).toContain('budget  tenant default exceeds: this adds at least 1.58 USD');
    expect(printed.err()).toContain('default/qwen is above the budget of tenant default');
  });

  test('takes several files: each on its own, and together', async () => {
    const other = view({ deployment: 'default/other' });
    expect(await planned([view(), other], '-f', file('a.yaml'), file('b.yaml'))).toBe(0);
    expect(printed.out()).toMatch(/^qwen[\s\S]*^other/m);
    expect(printed.out()).toContain('together  3.16 USD/h now, worst case 6.56 USD/h');
  });

  test('a file that is wrong does not hide the others, and decides the exit code', async () => {
    expect(await planned([view()], '-f', file('broken.yaml'), file('a.yaml'))).toBe(2);
    expect(printed.out()).toContain('qwen  new deployment');
    expect(printed.err()).toContain('is not valid YAML');
  });

  test('under --json prints one line for each file', async () => {
    await planned([view(), view({ deployment: 'default/other' })], '--json', '-f', file('a.yaml'), file('b.yaml'));
    const lines = printed.out().trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as PlanView).deployment)).toEqual(['default/qwen', 'default/other']);
  });
});
