import { type NewEvent, type TrafficReportRequest, stream } from '@davit/contracts';
import { type HttpClient, type HttpOutcome, isoTime, seededRandom, silentLogger, sleep } from '@davit/ports';
import { KEY, REPLICA, RESOURCE, Stage, declared, requested } from '@davit/stage';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { runtimeProberControllers } from '../index.js';
import { DEFAULT_SETTINGS } from '../settings.js';
import { TrafficDesk } from './desk.js';
import { readReport } from './read.js';
import { TargetIndex } from './target-index.js';

const URL_A = 'http://10.0.0.1:8000';
const ALL_REFUSED = { requests: 10, refused: 10, timeouts: 0, status5xx: 0 };

const reply = (status: number, body = ''): HttpOutcome => ({ kind: 'response', status, headers: {}, body });

describe('what gateways report', () => {
  let stage: Stage;
  let up: boolean;
  let computes: boolean;
  let inferences: number;
  let targets: TargetIndex;

  beforeEach(() => {
    stage = new Stage('runtime-prober');
    up = true;
    computes = true;
    inferences = 0;
    targets = new TargetIndex();
  });

  const answer = (path: string): HttpOutcome => {
    if (!up) return { kind: 'failure', reason: 'refused', detail: 'connection refused' };
    if (path === '/health') return reply(200);
    if (path === '/v1/models') return reply(200, '{"data":[{"id":"qwen"}]}');
    if (path !== '/v1/chat/completions') return reply(404);
    inferences += 1;
    return computes ? reply(200, '{"choices":[{}]}') : reply(500, '{}');
  };
  const http: HttpClient = {
    async request({ url }) {
      await sleep(stage.clock, 1);
      return answer(new URL(url).pathname);
    },
  };
  const start = (instanceId = 'one', index = targets) =>
    stage.start(
      runtimeProberControllers({ http, clock: stage.clock, random: seededRandom(2), environment: {}, targets: index }),
      instanceId,
    );
  const desk = (index = targets, instanceId = 'one') => {
    const { log, clock } = stage;
    const everyMs = DEFAULT_SETTINGS.trafficReportMs;
    return new TrafficDesk({
      log,
      clock,
      everyMs,
      targets: index,
      model: stage.model(instanceId),
      logger: silentLogger,
    });
  };
  const serving = async (): Promise<void> => {
    const observed: NewEvent = {
      type: 'davit.resource.observed',
      data: {
        ...{ externalKey: 'dv-test', replicaId: REPLICA, adapter: 'skypilot', phase: 'up', url: URL_A },
        ...{ providerId: 'm-1', price: null, class: null, detail: 'x' },
      },
    };
    await stage.given(stream.deployment(KEY), declared());
    await stage.given(stream.replica(REPLICA), requested(), {
      type: 'davit.replica.launch-requested',
      data: { replicaId: REPLICA, attempt: 1, deadlineAt: '2026-01-01T01:00:00.000Z' },
    });
    await stage.given(RESOURCE, observed);
    await stage.until(async () => (await stage.replica(REPLICA))?.runtime?.status === 'ready');
    const data = { replicaId: REPLICA, url: URL_A, servedModel: 'qwen' };
    await stage.given(stream.replica(REPLICA), { type: 'davit.replica.ready', data });
    await stage.clock.advance(2_000);
  };
  const report = (
    target: Partial<TrafficReportRequest['targets'][number]> = {},
    reporter = 'gateway-1',
    agoMs = 0,
  ): TrafficReportRequest => {
    const nowMs = stage.clock.nowMs() - agoMs;
    const window = { from: isoTime(nowMs - 5_000), to: isoTime(nowMs) };
    const named = target.url === undefined ? { replica: REPLICA } : {};
    return { reporter, window, targets: [{ ...ALL_REFUSED, ...named, ...target }] };
  };
  const told = async (): Promise<readonly string[]> =>
    (await stage.written('runtime'))
      .map(({ type }) => type.slice('davit.runtime.'.length))
      .filter((type) => type !== 'load-summarised');

  it('puts a server in doubt, which one inference settles, and no report alone ends it', async () => {
    start();
    await serving();
    const { take } = bound(desk());
    for (let time = 1; time <= 5; time++) {
      const before = inferences;
      expect(await take(report())).toMatchObject({ targets: [{ replica: REPLICA, outcome: 'recorded' }] });
      await stage.clock.advance(100);
      expect(inferences).toBe(before + 1);
      await stage.clock.advance(10_000);
    }
    expect(await told()).toEqual(['probing-started', 'became-ready', ...Array<string>(5).fill('traffic-failed')]);
  });

  it('ends a server sooner that its probes find dead as well, and is cited', async () => {
    start();
    await serving();
    up = false;
    const { take } = bound(desk());
    await take(report());
    await take(report({}, 'gateway-2'));
    await stage.clock.advance(100);
    const [last] = (await stage.written('runtime')).slice(-1);
    expect(last).toMatchObject({
      type: 'davit.runtime.became-unready',
      data: {
        reason: 'refused',
        signals: expect.arrayContaining([
          { source: 'traffic', observedAt: expect.any(String), said: expect.stringMatching(/^gateway-1: 10 of 10/) },
          { source: 'health', observedAt: expect.any(String), said: expect.stringMatching(/refused/) },
        ]),
      },
    });
    expect(last?.data).not.toMatchObject({ consecutiveFailures: 3 });
  });

  it('ends a server that answers its checks and no longer computes, which no check would have found', async () => {
    start();
    await serving();
    computes = false;
    await stage.clock.advance(20_000);
    expect((await stage.replica(REPLICA))?.runtime?.status).toBe('ready');
    await bound(desk()).take(report({ refused: 0, status5xx: 10 }));
    await stage.clock.advance(3_000);
    expect((await stage.replica(REPLICA))?.runtime).toMatchObject({ status: 'unready', reason: 'inference-failed' });
  });

  it('is written once in a while for each replica and gateway, added up, whichever instance takes it', async () => {
    start();
    await serving();
    const { take } = bound(desk());
    const { take: other } = bound(desk());
    await take(report());
    await stage.clock.advance(100);
    expect(await take(report({ refused: 1 }))).toMatchObject({ targets: [{ outcome: 'joined' }] });
    expect(await other(report({ refused: 2 }))).toMatchObject({ targets: [{ outcome: 'joined' }] });
    await take(report({ refused: 3 }));
    expect((await told()).filter((type) => type === 'traffic-failed')).toHaveLength(1);
    await stage.clock.advance(DEFAULT_SETTINGS.trafficReportMs);
    const sums = (await stage.written('runtime')).flatMap(({ data }) => ('reporter' in data ? [data] : []));
    expect(sums.map((data) => ('refused' in data ? data.refused : null)).toSorted()).toEqual([10, 2, 4].toSorted());
    expect(sums.map((data) => ('requests' in data ? data.requests : null)).toSorted()).toEqual([10, 10, 20].toSorted());
  });

  it('is acted on by the instance that watches the replica, whichever one it was sent to', async () => {
    start('one');
    await serving();
    const theirs = new TargetIndex();
    start('two', theirs);
    await stage.clock.advance(2_000);
    const before = inferences;
    const { take } = bound(desk(theirs, 'two'));
    expect(await take(report({ url: `${URL_A}/` }))).toMatchObject({ targets: [{ replica: REPLICA }] });
    await stage.clock.advance(100);
    expect(inferences).toBe(before + 1);
  });

  it('names what is not known, and loses nothing of the rest', async () => {
    start();
    await serving();
    const { targets: known, ...rest } = report();
    const gone = { ...ALL_REFUSED, replica: `${KEY}-1-0-9` };
    const elsewhere = { ...ALL_REFUSED, url: 'http://10.9.9.9:8000' };
    const answered = await bound(desk()).take({ ...rest, targets: [gone, ...known, elsewhere] });
    expect(answered.targets).toMatchObject([
      { replica: `${KEY}-1-0-9`, outcome: 'unknown', detail: expect.stringMatching(/gone, or was never launched/) },
      { replica: REPLICA, outcome: 'recorded' },
      { url: 'http://10.9.9.9:8000', outcome: 'unknown' },
    ]);
    expect(await told()).toContain('traffic-failed');
  });

  it('says nothing in the log of requests that went well, nor of a time long past', async () => {
    start();
    await serving();
    const { take } = bound(desk());
    expect(await take(report({ refused: 0 }))).toMatchObject({ targets: [{ outcome: 'quiet' }] });
    expect(await take(report({}, 'gateway-1', 60_000))).toMatchObject({ targets: [{ outcome: 'stale' }] });
    expect(await told()).not.toContain('traffic-failed');
  });

  it('is told again where the log did not take it', async () => {
    start();
    await serving();
    const { log, clock } = stage;
    let isDown = true;
    const parts = { clock, targets, model: stage.model(), logger: silentLogger, everyMs: 5_000 };
    const failing = new TrafficDesk({
      ...parts,
      log: { append: (...args) => (isDown ? Promise.reject(new Error('down')) : log.append(...args)) },
    });
    await expect(failing.take(report())).rejects.toThrow('down');
    isDown = false;
    expect(await failing.take(report())).toMatchObject({ targets: [{ outcome: 'recorded' }] });
  });
});

const bound = (desk: TrafficDesk): { readonly take: TrafficDesk['take'] } => ({ take: (report) => desk.take(report) });

describe('a report that is not valid', () => {
  const window = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:00:05.000Z' };
  const good = { reporter: 'gateway-1', window, targets: [{ ...ALL_REFUSED, replica: REPLICA }] };
  const problemsOf = (body: unknown): readonly string[] => {
    const read = readReport(body);
    return read.ok ? [] : read.problems.map(({ path, message, remedy }) => `${path}: ${message}. ${remedy}`);
  };

  it.each([
    [{ ...good, reporter: 'gateway one' }, /^reporter: "gateway one" is not a name\. Write letters/],
    [
      { ...good, window: { from: window.to, to: window.from } },
      /^window\.to: .*is before window\.from\. Write the end/,
    ],
    [{ ...good, targets: [] }, /^targets: /],
    [{ ...good, targets: [ALL_REFUSED] }, /^targets\[0\]: .*not exactly one of url and replica\. Name the target/],
    [
      { ...good, targets: [{ ...good.targets[0], url: 'ftp://x' }] },
      /^targets\[0\]\.url: "ftp:\/\/x" is not an address/,
    ],
    [{ ...good, targets: [{ ...good.targets[0], requests: 9 }] }, /^targets\[0\]\.requests: 9 holds more failures/],
    [{ ...good, targets: [{ ...good.targets[0], refused: -1 }] }, /^targets\[0\]\.refused: -1 /],
    [
      { ...good, targets: [{ ...good.targets[0], timeout: 1 }] },
      /^targets\[0\]\.timeout: is not a known key\. Did you mean "timeouts"/,
    ],
    ['x', /^: /],
  ])('is refused by field, value and remedy: %j', (body, problem) => {
    expect(problemsOf(body).join('\n')).toMatch(problem);
  });
  it('is not this one', () => {
    expect(problemsOf(good)).toEqual([]);
  });
});
