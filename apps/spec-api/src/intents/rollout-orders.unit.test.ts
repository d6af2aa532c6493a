import { beforeEach, describe, expect, it } from '@jest/globals';
import { type NewEvent, parseDeployment, stream } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { seededRandom, sequentialIds, systemClock } from '@davit/ports';
import { foldedModel } from '../testing/folded-model.js';
import { IntentHandler } from './intent-handler.js';

const HTTP = { channel: 'http' } as const;
const rollout = 'default/qwen-2-1';
const evidenceDigest = 'e'.repeat(64);
const said = { rollout, evidenceDigest, reason: 'looked at it', actor: 'ada' };
const template = { templateId: 7, templateHash: 'a'.repeat(32) };
const bounds = {
  ...{ minLoad: 1, coldWorkers: 1, maxWorkers: 4, inactivityTimeoutS: 600, targetQueueTimeS: 5 },
  ...{ maxQueueTimeS: 30, targetUtil: 0.9, coldMult: 2, minColdLoad: 0 },
};

/** What a rollout writes until it waits. */
function untilItWaits(): readonly NewEvent[] {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B' },
      runtime: { engine: 'vllm' },
      compute: { mode: 'serverless', templateHash: 'b'.repeat(32) },
      rollout: {
        strategy: 'evidence',
        objectives: { latencyP95: '2s' },
        load: { requestsPerSecond: 8, prompts: 'qwen.jsonl', maxSpend: '3' },
        canary: { maxSpend: '2' },
      },
    },
  });
  const policy = parsed.ok ? parsed.deployment.spec.rollout.evidence : undefined;
  if (!policy) throw new Error('not a specification');
  const rolloutId = rollout;
  const whose = { deployment: 'default/qwen', revision: 2, fromRevision: 1, replicaId: 'default/qwen-1-0-1' };
  const because = ['00000000-0000-7000-8000-00000000aaaa'];
  const load = {
    attempt: 1,
    profileDigest: evidenceDigest,
    maxRequests: 9,
    maxSpend: { amount: '1', currency: 'USD' },
  };
  const at = new Date().toISOString();
  const none = { p50Ms: null, p95Ms: null, p99Ms: null };
  const window = {
    from: at,
    to: at,
    sent: 1,
    ok: 1,
    errors: {},
    latency: none,
    queueTime: none,
    workers: {},
    spend: null,
  };
  const output = { prompt: evidenceDigest, output: evidenceDigest, agrees: true, by: 'equal' } as const;
  const line = { name: 'workers', formula: 'load / perf', inputs: { load: 8 }, result: 2, unit: 'workers' };
  return [
    {
      type: 'davit.rollout.started',
      data: { rolloutId, ...whose, externalKey: 'dv-a', workergroupId: 1, rollback: template, policy, because },
    },
    { type: 'davit.rollout.template-recorded', data: { rolloutId, template, resolvedBy: 'declared' } },
    {
      type: 'davit.rollout.candidate-proved',
      data: { rolloutId, loadMs: 1, readinessMs: 1, responseSchema: 'x', outputs: [output], evidenceDigest },
    },
    { type: 'davit.rollout.bounds-set', data: { rolloutId, bounds, arithmetic: [line] } },
    { type: 'davit.rollout.bounds-applied', data: { rolloutId, to: 'canary', readBack: bounds } },
    ...[1, 2, 3].flatMap((ramp): NewEvent[] => [
      { type: 'davit.rollout.load-attempted', data: { rolloutId, ramp, leaseEpoch: 1, ...load } },
      {
        type: 'davit.rollout.load-profile-run',
        data: {
          ...{ rolloutId, ramp, attempt: 1, steps: [{ requestsPerSecond: 1, window }] },
          ...{ converged: ramp === 3, criterion: 'x', evidenceDigest },
        },
      },
    ]),
    {
      type: 'davit.rollout.approval-requested',
      data: {
        ...{ rolloutId, workergroupId: 1, required: true, from: template, to: template, bounds },
        ...{ worstCaseSpend: null, evidenceDigest, deadlineAt: at },
      },
    },
  ];
}

describe('the word on a rollout', () => {
  let log: EventLog;
  let handler: IntentHandler;
  const append = (events: readonly NewEvent[]) => {
    const [first, ...rest] = events;
    if (!first) throw new Error('nothing to write');
    const write = { stream: stream.rollout(rollout), expectedVersion: 'any', events: [first, ...rest] } as const;
    return log.append([write], { tenant: 'default', service: 'vast-serverless' });
  };
  const words = async () =>
    (await log.read(0, 1_000)).filter(({ type }) => type.startsWith('davit.deployment.rollout-'));
  beforeEach(async () => {
    ({ log } = createMemoryLog({ clock: systemClock, ids: sequentialIds(1) }));
    const ports = { log, model: foldedModel(log), clock: systemClock, ids: sequentialIds(2), random: seededRandom(1) };
    handler = new IntentHandler(ports, 'spec-api');
    await append(untilItWaits());
  });

  it.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
    ['abort', 'aborted'],
  ] as const)('%s is written on the stream of the deployment, once, with who said it and why', async (verb, past) => {
    expect(await handler.rollout(verb, said, HTTP)).toMatchObject({
      outcome: 'accepted',
      about: rollout,
      changed: true,
    });
    expect(await handler.rollout(verb, said, HTTP)).toMatchObject({ outcome: 'accepted', changed: false });
    const data = { rolloutId: rollout, evidenceDigest, actor: 'ada', reason: 'looked at it' };
    expect(await words()).toEqual([
      expect.objectContaining({
        type: `davit.deployment.rollout-${past}`,
        stream: 'deployment/default/qwen',
        data: expect.objectContaining(data),
      }),
    ]);
  });

  it('is refused when it names other evidence than what waits, and writes nothing', async () => {
    const other = { ...said, evidenceDigest: 'f'.repeat(64) };
    expect(await handler.rollout('approve', other, HTTP)).toMatchObject({
      outcome: 'rejected',
      code: 'other-evidence',
    });
    expect(await words()).toEqual([]);
  });

  it('stops a rollout that waits for nothing only where no evidence is named', async () => {
    await append([
      { type: 'davit.rollout.withdrawn', data: { rolloutId: rollout, reason: 'superseded', detail: 'x' } },
    ]);
    expect(await handler.rollout('approve', said, HTTP)).toMatchObject({ outcome: 'rejected', code: 'not-waiting' });
    const abort = { rollout, reason: 'stop' };
    expect(await handler.rollout('abort', abort, HTTP)).toMatchObject({ outcome: 'accepted', changed: true });
  });

  it('is refused for a rollout that does not exist, and is a mistake without a reason', async () => {
    const unknown = { ...said, rollout: 'default/qwen-9-1' };
    expect(await handler.rollout('approve', unknown, HTTP)).toMatchObject({ outcome: 'rejected', code: 'not-found' });
    expect(await handler.rollout('approve', { ...said, reason: ' ' }, HTTP)).toMatchObject({ code: 'invalid-intent' });
  });
});
