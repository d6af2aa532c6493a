import { afterEach, describe, expect, test } from '@jest/globals';
import type { ExplainView, HourlyPrice, StoryCandidate, StoryLine } from '@davit/contracts';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

const line = (
  position: number,
  topic: StoryLine['topic'],
  text: string,
  change: Partial<StoryLine> = {},
): StoryLine => ({
  ...{
    position,
    topic,
    text,
    replica: 'default/qwen-1-0-2',
    candidates: [],
    signals: [],
    reasons: [],
    alternatives: [],
  },
  at: `2026-11-30T0${position}:00:00.000Z`,
  ...change,
});
const placement = {
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L40S', count: 1 },
  spot: false,
  maxHourlyPrice: null,
};
const price: HourlyPrice = {
  ...{ amount: '0.7900', currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'runpod-v2' },
  observedAt: '2026-11-30T00:00:00.000Z',
};
const candidate: StoryCandidate = {
  ...{
    rung: 0,
    placement,
    verdict: 'rejected',
    reason: 'refused a launch for capacity a minute ago',
    state: 'available',
  },
  ...{ source: 'runpod-v2', scope: 'global', ageMs: 4_000, confidence: 0.5, price, priceRecorded: true, scores: {} },
};

const view = (lines: StoryLine[], change: Partial<ExplainView> = {}): ExplainView => ({
  about: { kind: 'replica', name: 'default/qwen-1-0-2' },
  ...{ now: 'serving since 2026-11-30T05:00:00.000Z', predecessors: ['default/qwen-1-0-1'], complete: true, gaps: [] },
  ...{ lines, next: null, position: 9 },
  ...change,
});
const PATH = 'GET /v1/explain/replicas/default/qwen-1-0-2';

describe('davit explain', () => {
  test('tells each event with its position and time, whose it is, and each placement that was judged', async () => {
    const lines = [
      line(1, 'intent', 'ann asks to apply, over http', { replica: null }),
      line(3, 'failure', 'given up (capacity): launch refused', { replica: 'default/qwen-1-0-1' }),
      line(4, 'placement', 'placed on rung 1', {
        candidates: [candidate, { ...candidate, verdict: 'chosen', ageMs: null, price: null, confidence: null }],
      }),
    ];
    api = await answering({ [PATH]: () => view(lines) });
    expect(await run(['explain', 'replica', 'qwen-1-0-2', '--url', api.url])).toBe(0);
    const text = printed.out();
    expect(text).toContain('replica qwen-1-0-2: serving since');
    expect(text).toContain('lives before: qwen-1-0-1');
    expect(text).toMatch(/ {6}1 {2}01:00:00\.000 {2}intent {6}ann asks to apply/);
    expect(text).toContain('failure     qwen-1-0-1: given up (capacity)');
    expect(text.replace(/\s+/g, ' ')).toContain(
      '✗ runpod L40S available by runpod-v2 (global, 4s old, confidence 0.5), 0.79 USD quoted: refused a launch',
    );
    expect(text.replace(/\s+/g, ' ')).toContain('✓ runpod L40S nothing heard of stock, price unknown:');
    expect(text).toContain('reaches the intent of the user without a gap');
  });

  test('is readable at 100 columns, whatever providers say', async () => {
    const words = 'the provider said so and had much to say about it '.repeat(12);
    api = await answering({ [PATH]: () => view([line(2, 'machine', words)], { now: words, gaps: [words] }) });
    await run(['explain', 'replica', 'qwen-1-0-2', '--url', api.url]);
    expect(
      Math.max(
        ...printed
          .out()
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(100);
  });

  test('says so where the log does not reach the intent', async () => {
    const gaps = ['The log holds no declaration of revision 1 before position 4.'];
    api = await answering({ [PATH]: () => view([], { complete: false, gaps }) });
    await run(['explain', 'replica', 'default/qwen-1-0-2', '--url', api.url]);
    expect(printed.out()).toMatch(
      /Not every step back to the intent of the user is known:\n- The log holds no declaration/,
    );
  });

  test('reads a long story to its end, page after page', async () => {
    api = await answering({
      [PATH]: (query) =>
        query.get('after') === '0'
          ? view([line(1, 'intent', 'first', { replica: null })], { next: 1 })
          : view([line(2, 'ready', 'second')]),
    });
    await run(['explain', 'replica', 'qwen-1-0-2', '--json', '--url', api.url]);
    const story = JSON.parse(printed.out()) as ExplainView;
    expect(story.lines.map(({ text }) => text)).toEqual(['first', 'second']);
    expect(api.asked.map((one) => one.split('?')[1])).toEqual(['after=0', 'after=1']);
  });

  test.each([
    [['route', 'chat'], '/v1/explain/routes/default/chat'],
    [['wait', 'acme/qwen-1-0-2'], '/v1/explain/waits/acme/qwen-1-0-2'],
    [['cost', 'qwen', '--tenant', 'acme'], '/v1/explain/costs/acme/qwen'],
    [['rollout', 'qwen-2-1'], '/v1/explain/rollouts/default/qwen-2-1'],
    [['verdict', 'qwen-2-1'], '/v1/explain/verdicts/default/qwen-2-1'],
    [['orphan', 'skypilot:dv-a@b'], '/v1/explain/orphans/skypilot%3Adv-a%40b'],
    [['alarm', 'blind', 'default/qwen'], '/v1/explain/alarms?alarm=blind&about=default%2Fqwen'],
    [['budget'], '/v1/explain/budgets/default'],
    [['budget', 'acme/qwen'], '/v1/explain/budgets/acme?deployment=qwen'],
  ])('%j is asked for where its story is', async (words, path) => {
    const [place = ''] = path.split('?');
    const reasons = [{ rule: 'latency', outcome: 'worse', detail: 'a fifth slower', figures: {} }];
    const alternatives = [{ outcome: 'accept', reason: 'latency is worse' }];
    api = await answering({ [`GET ${place}`]: () => view([line(3, 'verdict', 'told', { reasons, alternatives })]) });
    expect(await run(['explain', ...words, '--url', api.url])).toBe(0);
    expect(api.asked).toEqual([`GET ${path}${path.includes('?') ? '&' : '?'}after=0`]);
    expect(printed.out()).toContain('· latency: worse; a fifth slower');
    expect(printed.out()).toContain('✗ not accept: latency is worse');
  });

  test('a name that nobody asked for ends with the code of a refusal', async () => {
    api = await answering({});
    expect(await run(['explain', 'deployment', 'nobody', '--url', api.url])).toBe(3);
    expect(await run(['explain', 'replica', 'x', '--after', 'soon', '--url', api.url])).toBe(2);
  });
});
