import { type NewEvent, parseDeployment } from '@davit/contracts';

const rollout = 'default/qwen-2-1';
const evidenceDigest = 'e'.repeat(64);
const template = { templateId: 7, templateHash: 'a'.repeat(32) };
const bounds = {
  ...{ minLoad: 1, coldWorkers: 1, maxWorkers: 4, inactivityTimeoutS: 600, targetQueueTimeS: 5 },
  ...{ maxQueueTimeS: 30, targetUtil: 0.9, coldMult: 2, minColdLoad: 0 },
};

/** The rollout, what waits for a word, and what production is changed from and to. */
export const WAITING = { rollout, evidenceDigest, template, bounds } as const;

/** A serverless deployment whose revisions prove themselves, by the template that it is made of. */
export const candidate = (templateHash: string): Record<string, unknown> => ({
  apiVersion: 'davit.dev/v1',
  kind: 'Deployment',
  metadata: { name: 'qwen' },
  spec: {
    model: { id: 'Qwen/Qwen3-8B' },
    runtime: { engine: 'vllm' },
    compute: { mode: 'serverless', templateHash },
    rollout: {
      strategy: 'evidence',
      objectives: { latencyP95: '2s' },
      load: { requestsPerSecond: 8, prompts: 'qwen.jsonl', maxSpend: '3' },
      canary: { maxSpend: '2' },
    },
  },
});

/** What a rollout of the second revision of `default/qwen` writes until it waits for a word. */
export function untilItWaits(): readonly NewEvent[] {
  const parsed = parseDeployment(candidate('b'.repeat(32)));
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
