import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type EventType,
  type ExplainView,
  type RecordedEvent,
  type StoryLine,
  explainView,
  stream,
} from '@davit/contracts';
import { createMemoryLog } from '@davit/event-log';
import { sequentialIds, systemClock } from '@davit/ports';
import type { Asking } from '../asking/asking.js';
import { askedBy } from '../testing/asked-by.js';
import { TOLD, toldLog } from '../testing/told-log.js';
import { StoriesController } from './stories.controller.js';

const stories = new StoriesController();
const whole = { after: 0, limit: 1_000 };
const tenant = 'default';
const nameOf = (id: string): string => id.slice(tenant.length + 1);

const ask = {
  route: (alias: string) => stories.route(asking, { tenant, alias }, whole),
  wait: (id: string) => stories.wait(asking, { tenant, name: nameOf(id) }, whole),
  cost: (name: string) => stories.cost(asking, { tenant, name }, whole),
  rollout: (id: string) => stories.rollout(asking, { tenant, rollout: nameOf(id) }, whole),
  verdict: (id: string) => stories.verdict(asking, { tenant, rollout: nameOf(id) }, whole),
  alarm: (alarm: string, about: string) => stories.alarm(asking, { alarm, about, ...whole }),
  orphan: (key: string) => stories.orphan(asking, { key }, whole),
  budget: (deployment?: string) => stories.budget(asking, { tenant }, { ...whole, deployment }),
};

let asking: Asking;
let events: readonly RecordedEvent[];
beforeAll(async () => {
  const { log, clock } = await toldLog();
  asking = askedBy(log, { clock });
  events = await log.read(0, 1_000);
});

/** The line that cites the last event of a type, as far as its data says what is expected. */
function lineOf({ lines }: ExplainView, type: EventType, data: object = {}): StoryLine {
  const event = events.findLast((one) => {
    const told = one.data as Readonly<Record<string, unknown>>;
    return one.type === type && Object.entries(data).every(([key, value]) => told[key] === value);
  });
  const line = lines.find(({ position }) => position === event?.position);
  if (!line) throw new Error(`no line cites the ${type} at ${event?.position ?? 'no position'}`);
  return line;
}

/** It fits the contract, stands in the order of the log, and every line cites the position and time of an event. */
function cites(view: ExplainView): void {
  expect(explainView.parse(view)).toEqual(view);
  const positions = view.lines.map(({ position }) => position);
  expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
  expect(view.lines.map(({ at }) => at)).toEqual(positions.map((position) => events[position - 1]?.time));
}

/** It begins with what ada asked for and was granted, and nothing is missing on the way from there. */
function reaches(view: ExplainView, type: EventType, wish: object): void {
  cites(view);
  expect(view).toMatchObject({ complete: true, gaps: [] });
  const origin = events.find(
    (one) => one.type === type && JSON.stringify(one.data).includes(JSON.stringify(wish).slice(1, -1)),
  );
  const id = origin && 'intentId' in origin.data ? origin.data.intentId : '';
  lineOf(view, 'davit.intent.accepted', { intentId: id });
  expect(lineOf(view, 'davit.intent.received', { intentId: id })).toMatchObject({
    topic: 'intent',
    text: expect.stringMatching(/^ada asks to /),
  });
}

describe('law-15: the story', () => {
  test.each(['route', 'cost', 'budget'] as const)('of a %s reaches the declaration and its intent', async (kind) => {
    const view = await ask[kind]('small');
    reaches(view, 'davit.deployment.declared', { revision: 1 });
    expect(view.about).toEqual({ kind, name: 'default/small' });
  });

  test('of a route names the replica that it leads to, the proof that it serves, and the placements it might have had', async () => {
    const view = await ask.route('small');
    expect(view.now).toMatch(/^leads to 1 replica: default\/small-1-0-1 at http:/);
    expect(lineOf(view, 'davit.runtime.became-ready').text).toContain('it serves small; proven by health 1 ms');
    const { candidates } = lineOf(view, 'davit.replica.placed');
    expect(candidates.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['chosen', 'the first with stock'],
      ['rejected', 'no stock'],
    ]);
  });

  test('of a wait tells what was looked at and why none was taken', async () => {
    const view = await ask.wait(TOLD.waiting);
    reaches(view, 'davit.deployment.declared', { revision: 1 });
    expect(view.now).toMatch(/^waits \(budget\) since /);
    const waits = lineOf(view, 'davit.replica.deferred');
    expect(waits).toMatchObject({ topic: 'wait', replica: TOLD.waiting });
    expect(waits.candidates).toMatchObject([
      { verdict: 'rejected', reason: 'the budget has room for 2.00 USD an hour' },
    ]);
    expect(lineOf(view, 'davit.fleet.alarm-raised', { about: TOLD.waiting }).topic).toBe('alarm');
  });

  test('of a cost cites where each price began', async () => {
    const view = await ask.cost('small');
    expect(view.now).toMatch(/^at most [\d.]+ USD since the beginning, on 1 machine.*1\.00+ USD an hour now/);
    expect(view.lines.filter(({ topic }) => topic === 'cost').map(({ text }) => text)).toEqual([
      expect.stringContaining('the machine costs 1.00'),
    ]);
  });

  test('of a budget tells what it let wait, and of a tenant who set its limits', async () => {
    const own = await ask.budget('small');
    expect(lineOf(own, 'davit.replica.deferred').text).toContain('no room in the budget');
    const shared = await ask.budget();
    reaches(shared, 'davit.tenant.budget-set', {});
    expect(lineOf(shared, 'davit.tenant.budget-set').text).toMatch(/at most 100(\.0+)? USD in all$/);
    expect(lineOf(shared, 'davit.fleet.alarm-cleared', { about: 'default' }).text).toContain('there is room');
  });

  test('of a budget tells which canary was ended over what it cost', async () => {
    const { log, clock } = await toldLog();
    const rolloutId = TOLD.rollout;
    const overspent = { rolloutId, reason: 'canary-spend', detail: 'the hourly budget is 3 USD' } as const;
    await log.append(
      [
        {
          ...{ stream: stream.rollout(rolloutId), expectedVersion: 'any' },
          events: [{ type: 'davit.rollout.withdrawn', data: overspent }],
        },
      ],
      { tenant, service: 'vast-serverless' },
    );
    const views = await Promise.all(
      ['qwen', undefined, 'small'].map((deployment) =>
        stories.budget(askedBy(log, { clock }), { tenant }, { ...whole, deployment }),
      ),
    );
    const told = views.map(({ lines }) =>
      lines.filter(({ text }) => text.includes('canary-spend')).map(({ text }) => text),
    );
    const line = `rollout ${rolloutId}: withdrawn; canary-spend; the hourly budget is 3 USD`;
    expect(told).toEqual([[line], [line], []]);
  });
});

describe('law-15: the story of a rollout', () => {
  test('reaches the declaration of its revision, and who approved it', async () => {
    const view = await ask.rollout(TOLD.rollout);
    reaches(view, 'davit.deployment.declared', { revision: 2 });
    expect(view.now).toMatch(/^rolling-back since .*; verdict-reject: latency p95 is proven worse$/);
    expect(lineOf(view, 'davit.deployment.rollout-approved').text).toMatch(/approved by ada: looked at it$/);
    for (const { position } of events.filter(({ type }) => type.startsWith('davit.rollout.')))
      expect(view.lines.map((line) => line.position)).toContain(position);
  });

  test('and of its verdict names the rule, the figures and the verdicts that were not reached', async () => {
    const view = await ask.verdict(TOLD.rollout);
    reaches(view, 'davit.deployment.declared', { revision: 2 });
    expect(view.now).toMatch(/^reject at .*, by latency-p95: 3 s above the 2 s$/);
    expect(lineOf(view, 'davit.rollout.verdict-reached')).toMatchObject({
      topic: 'verdict',
      reasons: [{ rule: 'latency-p95', outcome: 'broken', figures: { p95: 3_000 } }],
      alternatives: [
        { outcome: 'accept', reason: 'latency-p95 is broken' },
        { outcome: 'wait', reason: 'there are samples enough' },
      ],
    });
    lineOf(view, 'davit.rollout.candidate-proved');
    lineOf(view, 'davit.rollout.load-profile-run', { ramp: 3 });
    expect(view.lines.length).toBeLessThan((await ask.rollout(TOLD.rollout)).lines.length);
  });
});

describe('law-15: the story of an alarm reaches the intent behind what it is about:', () => {
  test.each([
    ['a replica', 'waiting-long', TOLD.waiting, 'davit.replica.deferred', { revision: 1 }],
    ['a deployment', 'failed-starts', 'default/small', 'davit.replica.placed', { revision: 1 }],
    ['a rollout', 'rollback-stuck', TOLD.rollout, 'davit.rollout.rollback-attempted', { revision: 2 }],
    ['a tenant', 'budget-near', 'default', 'davit.tenant.budget-set', {}],
    ['an orphan', 'orphan', TOLD.duplicate, 'davit.replica.requested', { revision: 1 }],
  ] as const)('%s', async (what, alarm, about, evidence, wish) => {
    const view = await ask.alarm(alarm, about);
    reaches(view, what === 'a tenant' ? evidence : 'davit.deployment.declared', wish);
    lineOf(view, evidence, what === 'an orphan' ? { replicaId: TOLD.serving } : {});
    const raised = lineOf(view, 'davit.fleet.alarm-raised', { alarm, about });
    expect(raised.text).toContain(`alarm ${alarm} is raised on ${about} (warning)`);
    expect(view.now).toMatch(what === 'a tenant' ? /^cleared at .*: there is room$/ : /^up since .* \(warning\): /);
  });
});

describe('law-15: the story of an orphan', () => {
  test('reaches the intent behind the replica whose name it has', async () => {
    const view = await ask.orphan(TOLD.duplicate);
    reaches(view, 'davit.deployment.declared', { revision: 1 });
    expect(view.now).toMatch(/^quarantined, found at .*; its replica has another one; waits for approval/);
    expect(lineOf(view, 'davit.resource.orphan-found', { replicaId: TOLD.serving }).text).toMatch(/^nobody owns it/);
    expect(lineOf(view, 'davit.fleet.alarm-raised', { about: TOLD.duplicate }).topic).toBe('alarm');
  });

  test('reaches the intent behind the rollout whose canary it was', async () => {
    const view = await ask.orphan(TOLD.canary);
    reaches(view, 'davit.deployment.declared', { revision: 2 });
    expect(view.now).toContain('the rollout whose canary it was is rid of it, or over');
    lineOf(view, 'davit.endpoint.orphan-found');
    lineOf(view, 'davit.rollout.canary-requested');
  });

  test('says of one that nobody asked for that it leads nowhere, and who let it be deleted', async () => {
    const view = await ask.orphan(TOLD.nobodys);
    cites(view);
    expect(view.complete).toBe(false);
    expect(view.gaps).toEqual(['Nobody asked for it as far as the log knows (no-owner): it leads to no intent.']);
    expect(lineOf(view, 'davit.fleet.reap-approved').text).toMatch(/approves its deletion: left by a test$/);
    expect(view.lines.map(({ text }) => text)).toContain('ada asks to reap, over http');
  });
});

describe('the story of a name that nobody gave', () => {
  test.each([
    ['route', 'davit get routes', () => ask.route('none')],
    ['replica', 'davit get replicas --all', () => ask.wait('default/none-1-0-1')],
    ['deployment', 'davit get deployments --all', () => ask.cost('none')],
    ['rollout', 'davit rollouts --all', () => ask.rollout('default/none-1-1')],
    ['rollout', 'davit rollouts --all', () => ask.verdict('default/none-1-1')],
    ['alarm', 'davit alarms', () => ask.alarm('waiting-long', 'default/none-1-0-1')],
    ['orphan', 'davit orphans --all', () => ask.orphan('skypilot:none@none')],
    ['deployment', 'davit get deployments --all', () => ask.budget('none')],
    ['budget', 'davit budget get', () => stories.budget(nothing(), { tenant }, whole)],
  ])('is a problem that says where a right %s is to be found: %s', async (kind, remedy, tell) => {
    const problem = await tell().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(problem).toMatchObject({
      status: 404,
      code: 'not-found',
      message: expect.stringContaining(`There is no ${kind} "`),
      errors: [{ remedy: expect.stringContaining(`\`${remedy}\``) }],
    });
  });
});

const nothing = (): Asking => askedBy(createMemoryLog({ clock: systemClock, ids: sequentialIds(1) }).log);
