import { describe, expect, test } from '@jest/globals';
import { type PlanView, type StockSignal, parseDeployment, planView } from '@davit/contracts';
import { declare, evolveDeployment, type DeploymentState } from '@davit/domain';
import { createMemoryLog } from '@davit/event-log';
import { sequentialIds, systemClock } from '@davit/ports';
import { manifest } from '../testing/manifest.js';
import { NOTHING_KNOWN_YET } from './known.js';
import { plan } from './plan.js';

const NOW = Date.UTC(2026, 8, 1);
const INTENT = '00000000-0000-7000-8000-000000000001';

const wantedOf = (input: unknown) => {
  const parsed = parseDeployment(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.deployment;
};

async function stateOf(input: unknown): Promise<DeploymentState | undefined> {
  const { log } = createMemoryLog({ clock: systemClock, ids: sequentialIds() });
  const decision = declare(undefined, wantedOf(input), INTENT);
  if (decision.outcome !== 'accepted') throw new Error(decision.detail);
  const [event] = decision.events;
  if (!event) throw new Error('nothing declared');
  const stream = 'deployment/default/qwen3-8b';
  await log.append([{ stream, expectedVersion: 0, events: [event] }], { tenant: 'default', service: 'spec-api' });
  return (await log.readStream(stream)).reduce(evolveDeployment, undefined);
}

const signal = (amount: string | null, change: Partial<StockSignal> = {}): StockSignal => ({
  state: 'available',
  source: 'runpod',
  scope: 'global',
  level: 'High',
  observedAt: new Date(NOW - 4_000).toISOString(),
  expiresAt: new Date(NOW + 60_000).toISOString(),
  price:
    amount === null
      ? null
      : {
          amount,
          currency: 'USD',
          unit: 'instance-hour',
          kind: 'quoted',
          source: 'runpod',
          observedAt: new Date(NOW).toISOString(),
        },
  detail: '',
  permanent: false,
  ...change,
});

function planOf(input: unknown, signals: readonly (StockSignal | undefined)[], state?: DeploymentState): PlanView {
  const wanted = wantedOf(input);
  const decision = declare(state, wanted, INTENT);
  if (decision.outcome !== 'accepted') throw new Error(decision.detail);
  const known = new Map(signals.flatMap((one, rung) => (one ? [[rung, one] as const] : [])));
  const view = plan({ state, wanted, decision, signals: known, known: NOTHING_KNOWN_YET, nowMs: NOW });
  expect(planView.parse(view)).toEqual(view);
  return view;
}

describe('what changes', () => {
  test('a deployment that is not there is new', () => {
    expect(planOf(manifest(), [])).toMatchObject({
      change: 'new',
      revision: 1,
      replicas: { from: 0, to: 2 },
      differences: [],
    });
  });

  test.each([
    ['none', {}, 1, []],
    ['scale', { scaling: { replicas: 5 } }, 1, [{ path: 'spec.scaling.replicas', from: 2, to: 5 }]],
    [
      'settings',
      { budget: { maxHourly: '4.00' } },
      1,
      [{ path: 'spec.budget', from: null, to: { maxHourly: '4.00', currency: 'USD', onExceed: 'refuse' } }],
    ],
    [
      'new-revision',
      { runtime: { engine: 'sglang' } },
      2,
      [{ path: 'spec.runtime.engine', from: 'vllm', to: 'sglang' }],
    ],
  ])('%s', async (change, spec, revision, expected) => {
    const view = planOf(manifest(spec), [], await stateOf(manifest()));
    expect(view).toMatchObject({ change, revision, differences: expected });
  });
});

describe('what it costs', () => {
  test('the rung that would be taken, the dearest rung, and the ceiling, in exact decimals', () => {
    const view = planOf(manifest({ budget: { maxHourly: '4.00' } }), [signal('0.79'), signal('1.64')]);
    expect(view.spend).toMatchObject({
      currency: 'USD',
      chosenHourly: '1.58',
      worstCaseHourly: '3.28',
      ceilingHourly: '4.00',
    });
    expect(view.rungs.map(({ verdict }) => verdict)).toEqual(['chosen', 'next']);
  });

  test('nothing is rented above a budget, so its ceiling caps the worst case', () => {
    const view = planOf(manifest({ budget: { maxHourly: '2.00' } }), [signal('0.79'), signal('1.64')]);
    expect(view.spend).toMatchObject({ worstCaseHourly: '2.00', worstCaseDaily: '48.00', worstCaseRung: null });
    expect(view.rungs[1]?.verdict).toBe('rejected');
  });

  test('the worst case is named: which rung makes it, for an hour and a day, and how long the total lasts', () => {
    const budget = { maxHourly: '9', maxTotal: '32.80' };
    const view = planOf(manifest({ budget }), [signal('0.79'), signal('1.64')]);
    expect(view.spend).toMatchObject({ worstCaseHourly: '3.28', worstCaseDaily: '78.72', worstCaseRung: 1 });
    expect(view.spend).toMatchObject({ ceilingTotal: '32.80', hoursUntilTotal: '10.0' });
  });

  test('replicas are placed one after the other, each from what those before it left of the budget', () => {
    const view = planOf(manifest({ budget: { maxHourly: '2.43' } }), [signal('1.64'), signal('0.79')]);
    expect(view.placed).toEqual([
      { rung: 0, replicas: 1 },
      { rung: 1, replicas: 1 },
    ]);
    expect(view.spend.chosenHourly).toBe('2.43');
    const tight = planOf(manifest({ budget: { maxHourly: '1.70' } }), [signal('1.64'), signal('1.64')]);
    expect(tight.placed).toEqual([
      { rung: 0, replicas: 1 },
      { rung: null, replicas: 1 },
    ]);
    expect(tight.notes.join()).toContain('1 of 2 replicas would wait');
  });

  test('a price that is not known makes the worst case unknown, never zero', () => {
    const view = planOf(manifest(), [signal('0.79'), signal(null)]);
    expect(view.spend).toMatchObject({ chosenHourly: '1.58', worstCaseHourly: null });
    expect(view.notes.join()).toContain('price of vast L40S:1 is not known');
  });

  test('a ceiling of the rung bounds a price that is not known', () => {
    const placements = [
      { cloud: 'runpod', accelerator: 'L40S:1' },
      { cloud: 'vast', accelerator: 'L40S:1', maxHourlyPrice: '0.95' },
    ];
    const view = planOf(manifest({ compute: { mode: 'elastic', placements } }), [signal('0.79'), undefined]);
    expect(view.spend.worstCaseHourly).toBe('1.90');
  });

  test('prices in another currency than the budget are not compared', () => {
    const view = planOf(manifest({ budget: { maxHourly: '4.00', currency: 'EUR' } }), [signal('0.79'), signal('0.8')]);
    expect(view.spend).toMatchObject({ currency: 'EUR', chosenHourly: null, worstCaseHourly: '4.00' });
    expect(view.budgets).toMatchObject([{ verdict: 'unknown', certainHourly: null }]);
  });

  test('no replicas cost nothing', () => {
    expect(planOf(manifest({ scaling: { replicas: 0 } }), [signal(null), signal(null)]).spend).toMatchObject({
      chosenHourly: '0',
      worstCaseHourly: '0',
    });
  });
});

describe('a budget', () => {
  test.each([
    ['within', '4.00', '1.58'],
    ['may-exceed', '3.00', '1.58'],
    ['exceeds', '1.57', '1.58'],
  ] as const)('is %s at %s an hour, of which %s are certain', (verdict, maxHourly, certainHourly) => {
    const view = planOf(manifest({ budget: { maxHourly } }), [signal('0.79'), signal('1.64')]);
    expect(view.budgets).toMatchObject([{ of: 'deployment', verdict, certainHourly, heldHourly: '0' }]);
  });

  test('of which a price is not known is neither kept nor broken: nothing is certain', () => {
    const view = planOf(manifest({ budget: { maxHourly: '1.00' } }), [signal('0.79'), signal(null)]);
    expect(view.budgets).toMatchObject([{ verdict: 'unknown', certainHourly: null }]);
    expect(view.rungs[1]?.reason).toContain('no price is known and a budget is set');
  });

  test('over workers that nobody prices is said to be kept by nobody', () => {
    const workers = { compute: { mode: 'serverless', templateHash: 'abc123' }, scaling: {} };
    const notes = (budget: object) => planOf(manifest({ ...workers, ...budget }), []).notes.join(' ');
    expect(notes({ budget: { maxHourly: '3.00' } })).toContain('the budget cannot be kept');
    expect(notes({})).not.toContain('budget');
  });

  test('that cannot pay the first hour of all is exceeded by its total, too', () => {
    const view = planOf(manifest({ budget: { maxTotal: '1.50' } }), [signal('0.79'), signal('1.64')]);
    expect(view.budgets[0]?.verdict).toBe('exceeds');
  });
});

describe('what is known', () => {
  test('silence and stale advice are unknown, which does not block', () => {
    const stale = signal('0.79', { expiresAt: new Date(NOW - 1).toISOString() });
    expect(planOf(manifest(), [stale, undefined]).rungs.map((rung) => rung.signal.state)).toEqual([
      'unknown',
      'unknown',
    ]);
  });

  test('a ladder with no stock is told with the reason', () => {
    const none = signal(null, { state: 'unavailable', detail: 'no stock' });
    expect(planOf(manifest(), [none, none]).notes.join()).toContain('Nothing can be placed now');
  });

  test('a global signal is not taken for stock in a region', () => {
    expect(planOf(manifest(), [signal('1'), signal('1')]).notes.join()).toContain('does not prove stock in one region');
  });
});

describe('a rollout', () => {
  const other = { model: { id: 'Qwen/Qwen3-4B' } };

  test('that surges names the spare machines it needs, and that there are some', async () => {
    const view = planOf(manifest(other), [signal('0.79'), signal('1.64')], await stateOf(manifest()));
    expect(view.rollout).toMatchObject({ strategy: 'surge', spareMachines: 2, stock: 'available' });
    expect(view.rollout?.outlook).toContain('which the provider says it has');
  });

  test.each(['constrained', 'unknown', 'unavailable'] as const)(
    'that surges where stock is %s says that it waits, and proposes to go in place',
    async (stock) => {
      const some = signal('0.79', { state: stock, detail: '' });
      const view = planOf(manifest(other), [some, some], await stateOf(manifest()));
      expect(view.rollout?.stock).toBe(stock);
      expect(view.rollout?.outlook).toMatch(/2 spare machines, and stock is .*: it waits.*strategy: in-place/);
    },
  );

  test('in place needs none, and serves with one less meanwhile', async () => {
    const inPlace = manifest({ ...other, rollout: { strategy: 'in-place' } });
    const view = planOf(inPlace, [signal('0.79'), signal('1.64')], await stateOf(manifest()));
    expect(view.rollout).toMatchObject({ strategy: 'in-place', spareMachines: 0 });
    expect(view.rollout?.outlook).toContain('meanwhile 1 of 2 serve');
  });

  test('is none where nothing is handed over', async () => {
    expect(planOf(manifest(), [signal('1'), signal('1')]).rollout).toBeNull();
    const scaled = manifest({ scaling: { replicas: 5 } });
    expect(planOf(scaled, [signal('1'), signal('1')], await stateOf(manifest())).rollout).toBeNull();
  });
});

describe('starts that fail', () => {
  const readiness = { startDeadline: '20m', startDeadlineCap: '30m', maxFailedStarts: 4 };

  test('cost at most so many starts, each up to the cap, at the dearest price of all replicas', () => {
    const view = planOf(manifest({ readiness }), [signal('0.79'), signal('1.64')]);
    expect(view.spend).toMatchObject({ worstCaseHourly: '3.28', failedStarts: '6.56' });
  });

  test('cost what is not known where a price is not known', () => {
    expect(planOf(manifest({ readiness }), [signal('0.79'), signal(null)]).spend.failedStarts).toBeNull();
  });
});

describe('what is claimed', () => {
  test('of adapter, cloud and engine is told where it is less than held against the real thing', () => {
    const { notes } = planOf(manifest({ runtime: { engine: 'sglang' } }), [signal('1'), signal('1')]);
    expect(notes).toContain('Support of skypilot · runpod · sglang: experimental.');
    expect(notes).toContain('Support of skypilot · vast · sglang: experimental.');
  });

  test('is nothing where no row of the matrix claims it', () => {
    const placements = [{ cloud: 'vast', accelerator: 'L40S:1' }];
    const { notes } = planOf(manifest({ runtime: { engine: 'tgi' }, compute: { mode: 'elastic', placements } }), []);
    expect(notes).toContain('Support of skypilot · vast · tgi: unsupported.');
  });
});
