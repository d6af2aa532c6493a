import { type EventData, type NewEvent, type TemplateIdentity, type WorkerView, stream } from '@davit/contracts';
import { digestOf } from '../../canonical.js';
import type { RolloutState } from '../state.js';
import type { EffectStep } from '../step.js';

export const OLD: TemplateIdentity = { templateId: 7, templateHash: 'a'.repeat(32) };
export const NEW: TemplateIdentity = { templateId: 8, templateHash: 'b'.repeat(32) };
export const DIGEST = digestOf('evidence');

/** How the outside answers a step: as wished, not at all before whoever asked is gone, of unknown outcome, or badly. */
export const FATES = ['good', 'crash', 'unknown', 'bad'] as const;
export type Fate = (typeof FATES)[number];
export type Stated = { readonly stream: string; readonly event: NewEvent };

const QUANTILES = { p50Ms: 100, p95Ms: 200, p99Ms: 300 };
const worker = (workerId: number, on: WorkerView['on']): WorkerView => ({
  workerId,
  status: 'idle',
  ...(on === 'candidate' ? NEW : OLD),
  loadedAt: null,
  on,
});

/** What whoever performs a step writes into the log, in order; a crash cuts it off after what announces the step. */
export function performed(state: RolloutState, step: EffectStep, fate: Fate, nowMs: number): readonly Stated[] {
  const [announced, outcome] = written(state, step, fate, nowMs);
  return fate === 'crash' ? announced : [...announced, ...outcome];
}

type Parts = readonly [announced: readonly Stated[], outcome: readonly Stated[]];

const written = (state: RolloutState, step: EffectStep, fate: Fate, nowMs: number): Parts =>
  provingParts(state, step, fate, nowMs) ?? changingParts(state, step, fate, nowMs);

/** Whose the canary's facts are, and where they stand. */
function canaryOf({ id: rolloutId, canary }: RolloutState) {
  const externalKey = canary?.externalKey ?? '';
  const endpoint = (event: NewEvent): Stated => ({ stream: stream.endpoint(externalKey), event });
  return { endpoint, owner: { externalKey, replicaId: null, adapter: 'vast-serverless', rolloutId } };
}

function provingParts(state: RolloutState, step: EffectStep, fate: Fate, nowMs: number): Parts | undefined {
  const rolloutId = state.id;
  const at = new Date(nowMs).toISOString();
  const own = (event: NewEvent): Stated => ({ stream: stream.rollout(rolloutId), event });
  const { endpoint, owner } = canaryOf(state);
  const window = {
    ...{ from: at, to: at, sent: 10, ok: 10, errors: {}, latency: QUANTILES, queueTime: QUANTILES },
    ...{ workers: { idle: 2 }, spend: null },
  };
  const leaseEpoch = 1;
  const isGood = fate === 'good';
  switch (step.do) {
    case 'prepare-template':
      return [
        [
          own({
            type: 'davit.rollout.template-attempted',
            data: { rolloutId, attempt: step.attempt, name: 'davit-qwen', contentDigest: DIGEST, leaseEpoch },
          }),
        ],
        isGood ? [own(recorded(rolloutId, 'reply'))] : [],
      ];
    case 'resolve-template':
      return [[], isGood ? [own(recorded(rolloutId, 'discovery'))] : []];
    case 'launch-canary': {
      const attempted = endpoint({
        type: 'davit.endpoint.launch-attempted',
        data: { ...owner, attempt: 1, placement: null, leaseEpoch },
      });
      return [[attempted], [endpoint(launchOutcome(owner, fate))]];
    }
    case 'resolve-canary':
      return [[], isGood ? [endpoint(launchOutcome(owner, 'good'))] : []];
    case 'prove-candidate':
      return [
        [],
        isGood
          ? [
              own({
                type: 'davit.rollout.candidate-proved',
                data: {
                  ...{ rolloutId, loadMs: 1, readinessMs: 1, responseSchema: 'chat.completion' },
                  outputs: [{ prompt: DIGEST, output: DIGEST, agrees: true, by: 'equal' }],
                  evidenceDigest: DIGEST,
                },
              }),
            ]
          : fate === 'bad'
            ? [
                own({
                  type: 'davit.rollout.candidate-failed',
                  data: { rolloutId, step: 'outputs', detail: 'another answer', evidenceDigest: DIGEST },
                }),
              ]
            : [],
      ];
    case 'work-out-bounds': {
      const bounds = {
        ...{ minLoad: 1, coldWorkers: 1, maxWorkers: 4, inactivityTimeoutS: 600, targetQueueTimeS: 5 },
        ...{ maxQueueTimeS: 30, targetUtil: 0.9, coldMult: 2, minColdLoad: 0 },
      };
      const arithmetic = [{ name: 'workers', formula: 'load / perf', inputs: { load: 8 }, result: 2, unit: 'workers' }];
      const conflicts = [{ objective: 'latencyP95Ms', against: 'budget.maxHourly', detail: 'too dear' }];
      return [
        [],
        isGood
          ? [own({ type: 'davit.rollout.bounds-set', data: { rolloutId, bounds, arithmetic } })]
          : fate === 'bad'
            ? [own({ type: 'davit.rollout.bounds-refused', data: { rolloutId, conflicts, arithmetic } })]
            : [],
      ];
    }
    case 'apply-bounds':
      return [
        [],
        isGood
          ? [own({ type: 'davit.rollout.bounds-applied', data: { rolloutId, to: step.to, readBack: step.bounds } })]
          : [],
      ];
    case 'run-load': {
      const { ramp, attempt } = step;
      const attempted: EventData<'davit.rollout.load-attempted'> = {
        ...{ rolloutId, ramp, attempt, profileDigest: DIGEST, maxRequests: 100, leaseEpoch },
        maxSpend: { amount: '1', currency: 'USD' },
      };
      const steps = [{ requestsPerSecond: 16, window }];
      const run = { rolloutId, ramp, attempt, steps, criterion: 'x', evidenceDigest: DIGEST };
      return [
        [own({ type: 'davit.rollout.load-attempted', data: attempted })],
        fate === 'bad'
          ? [
              own({
                type: 'davit.rollout.load-aborted',
                data: { rolloutId, ramp, attempt, reason: 'cap-spend', detail: 'x' },
              }),
            ]
          : [own({ type: 'davit.rollout.load-profile-run', data: { ...run, converged: isGood && ramp === 3 } })],
      ];
    }
    case 'record-baseline':
      return [
        [],
        isGood
          ? [
              own({
                type: 'davit.rollout.baseline-recorded',
                data: { rolloutId, windows: [window], evidenceDigest: DIGEST },
              }),
            ]
          : [],
      ];
    default:
      return undefined;
  }
}

function changingParts(state: RolloutState, step: EffectStep, fate: Fate, nowMs: number): Parts {
  const rolloutId = state.id;
  const at = new Date(nowMs).toISOString();
  const own = (event: NewEvent): Stated => ({ stream: stream.rollout(rolloutId), event });
  const { endpoint, owner } = canaryOf(state);
  const leaseEpoch = 1;
  const workergroupId = state.plan?.workergroupId ?? 0;
  const isGood = fate === 'good';
  switch (step.do) {
    case 'request-approval': {
      const { bounds, template } = state;
      if (!bounds || !template) return [[], []];
      return [
        [],
        [
          own({
            type: 'davit.rollout.approval-requested',
            data: {
              ...{ rolloutId, workergroupId, required: step.required, from: OLD, to: template, bounds },
              ...{ worstCaseSpend: null, evidenceDigest: DIGEST, deadlineAt: step.deadlineAt },
            },
          }),
        ],
      ];
    }
    case 'update': {
      const { attempt, from, to, bounds, approval } = step;
      const data = { rolloutId, workergroupId, attempt, from, to, bounds, approval, leaseEpoch };
      return [[own({ type: 'davit.rollout.update-attempted', data })], [own(updateOutcome(rolloutId, attempt, fate))]];
    }
    case 'resolve-update':
      return [[], fate === 'unknown' ? [] : [own(updateOutcome(rolloutId, step.attempt, fate))]];
    case 'observe-workers': {
      const on = isGood ? 'candidate' : fate === 'bad' ? 'old' : 'unknown';
      const seen = [1, 2].map((workerId) =>
        own({
          type: 'davit.rollout.worker-observed',
          data: {
            rolloutId,
            worker: worker(workerId, workerId === 1 ? 'candidate' : on),
            evidence: 'instance',
            inFlight: 0,
          },
        }),
      );
      const workers = [worker(1, 'candidate'), worker(2, 'candidate')];
      const converged = own({ type: 'davit.rollout.converged', data: { rolloutId, workers, observations: 3 } });
      return [[], isGood && state.phase.name === 'observing' ? [...seen, converged] : seen];
    }
    case 'report-not-converged':
      return [
        [],
        [
          own({
            type: 'davit.rollout.not-converged',
            data: { rolloutId, workers: [], missing: [2], logTail: [], detail: step.detail },
          }),
        ],
      ];
    case 'judge': {
      const verdict = isGood ? 'accept' : fate === 'bad' ? 'reject' : 'wait';
      const others = (['accept', 'reject', 'wait'] as const).filter((other) => other !== verdict);
      return [
        [],
        [
          own({
            type: 'davit.rollout.verdict-reached',
            data: {
              ...{ rolloutId, verdict, alpha: 0.01, beta: 0.02, bundleDigest: DIGEST },
              reasons: [
                { rule: 'latency-p95', outcome: isGood ? 'met' : 'broken', detail: 'x', figures: { p95: 200 } },
              ],
              samples: { baseline: 500, candidate: 500 },
              rejectedAlternatives: others.map((other) => ({ verdict: other, because: 'x' })),
            },
          }),
        ],
      ];
    }
    case 'roll-back': {
      const { attempt, to, reason, detail } = step;
      const data = { rolloutId, reason, detail, attempt, workergroupId, to, leaseEpoch };
      return [
        [own({ type: 'davit.rollout.rollback-attempted', data })],
        [own(rollbackOutcome(rolloutId, attempt, fate))],
      ];
    }
    case 'resolve-rollback':
      return [[], fate === 'unknown' ? [] : [own(rollbackOutcome(rolloutId, step.attempt, fate))]];
    case 'observe-rollback':
      return [
        [],
        isGood
          ? [
              own({
                type: 'davit.rollout.rollback-observed',
                data: { rolloutId, workers: [worker(1, 'old'), worker(2, 'old')], observations: 3 },
              }),
            ]
          : [],
      ];
    case 'remove-canary': {
      const gone = { ...owner, observedAt: [at, at], inventoryRows: 0 };
      const attempted = {
        type: 'davit.endpoint.delete-attempted',
        data: { ...owner, attempt: 1, leaseEpoch },
      } as const;
      return [
        [endpoint(attempted)],
        isGood ? [endpoint({ type: 'davit.endpoint.absence-confirmed', data: gone })] : [],
      ];
    }
    default:
      return [[], []];
  }
}

const recorded = (rolloutId: string, resolvedBy: 'reply' | 'discovery'): NewEvent => ({
  type: 'davit.rollout.template-recorded',
  data: { rolloutId, template: NEW, resolvedBy },
});

type Owner = {
  readonly externalKey: string;
  readonly replicaId: null;
  readonly adapter: string;
  readonly rolloutId: string;
};

function launchOutcome(owner: Owner, fate: Fate): NewEvent {
  const of = { ...owner, attempt: 1 };
  if (fate === 'bad') return { type: 'davit.endpoint.launch-refused', data: { ...of, class: 'quota', detail: 'no' } };
  if (fate === 'unknown') return { type: 'davit.endpoint.launch-unknown', data: { ...of, detail: 'lost' } };
  return { type: 'davit.endpoint.launch-accepted', data: { ...of, handle: null, resolvedBy: 'reply' } };
}

function updateOutcome(rolloutId: string, attempt: number, fate: Fate): NewEvent {
  if (fate === 'bad')
    return { type: 'davit.rollout.update-refused', data: { rolloutId, attempt, class: 'config', detail: 'no' } };
  if (fate === 'unknown') return { type: 'davit.rollout.update-unknown', data: { rolloutId, attempt, detail: 'lost' } };
  const readBack = { readBack: NEW, updateCall: 'called', workersToUpdate: 2, resolvedBy: 'reply' } as const;
  return { type: 'davit.rollout.update-triggered', data: { rolloutId, attempt, ...readBack } };
}

function rollbackOutcome(rolloutId: string, attempt: number, fate: Fate): NewEvent {
  if (fate === 'bad')
    return { type: 'davit.rollout.rollback-refused', data: { rolloutId, attempt, class: 'transient', detail: 'no' } };
  if (fate === 'unknown')
    return { type: 'davit.rollout.rollback-unknown', data: { rolloutId, attempt, detail: 'lost' } };
  return { type: 'davit.rollout.rollback-triggered', data: { rolloutId, attempt, readBack: OLD, resolvedBy: 'reply' } };
}
