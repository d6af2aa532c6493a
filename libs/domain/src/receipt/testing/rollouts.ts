import type { EvidenceKind, EvidenceOf, TemplateIdentity, WorkerView } from '@davit/contracts';
import { digestOf } from '../../canonical.js';
import { summarise } from '../../load/account.js';
import type { LoadSample } from '../../load/sample.js';
import { candidate } from '../../rollout/testing/candidate.js';
import { boundsFor } from '../../scaling/policy.js';
import { veiledContract } from '../../verdict/contract/veil.js';
import { judge } from '../../verdict/judge.js';
import type { Window } from '../../verdict/window.js';
import { MINUTE_MS, SAME_CONTRACT, goodBundle, minuteAt } from '../../verdict/testing/bundles.js';
import type { ReceiptEvidence, ReceiptSources } from '../receipt.js';
import { History } from './history.js';

const ROLLOUT = 'default/qwen-2-1';
const DEPLOYMENT = 'deployment/default/qwen';
const OLD: TemplateIdentity = { templateId: 411, templateHash: '4f1e'.repeat(8) };
const NEW: TemplateIdentity = { templateId: 412, templateHash: '9ab3'.repeat(8) };
const usd = (amount: string) => ({ amount, currency: 'USD' });
const HOUR_MS = 3_600_000;

/** Evidence that a history has put so far. */
class Kept {
  readonly list: ReceiptEvidence[] = [];

  put<Kind extends EvidenceKind>(kind: Kind, value: EvidenceOf<Kind>): string {
    const digest = digestOf(value);
    // Kind and value come together by the signature.
    this.list.push({ kind, digest, value } as ReceiptEvidence);
    return digest;
  }
}

type Story = { readonly history: History; readonly kept: Kept };

/** A rollout that ended well: everything was proven, an operator agreed, every worker followed. */
export function acceptedRollout(): ReceiptSources {
  const story = begin();
  prove(story);
  drive(story);
  change(story);
  const bundleDigest = decide(story, 1);
  removeCanary(story);
  story.history.own('davit.rollout.accepted', { ...ENDING, template: NEW, workers: 2, bundleDigest });
  return sourcesOf(story);
}

/** One whose candidate answered otherwise than was recorded: production was never touched. */
export function rejectedRollout(): ReceiptSources {
  const story = begin();
  const evidence = story.kept.put('candidate', {
    ...{ version: 1, externalKey: 'dv-canary-1', template: NEW, loadMs: 93_000, readinessMs: 1_400 },
    ...{
      responseSchema: 'chat.completion',
      contract: veiledContract(SAME_CONTRACT) as EvidenceOf<'candidate'>['contract'],
    },
    outputs: [{ prompt: digestOf('q1'), output: digestOf('a1'), agrees: false, by: 'similarity 0.05' }],
  });
  const why = {
    reason: 'candidate-failed',
    detail: 'probe-1: the answer has nothing in common with the recorded one',
  } as const;
  story.history.own('davit.rollout.candidate-failed', {
    step: 'outputs',
    detail: why.detail,
    evidenceDigest: evidence,
  });
  story.history.own('davit.rollout.withdrawn', why);
  removeCanary(story);
  story.history.own('davit.rollout.rejected', { ...ENDING, ...why });
  return sourcesOf(story);
}

/** One that was accepted by everything but production: it became three times as slow there, and was taken back. */
export function rolledBackRollout(): ReceiptSources {
  const story = begin();
  prove(story);
  drive(story);
  change(story);
  decide(story, 3);
  const why = { reason: 'verdict-reject', detail: 'latency p95 is proven worse than before' } as const;
  const { history } = story;
  history.own('davit.rollout.rollback-attempted', { ...why, attempt: 1, workergroupId: 7_301, to: OLD, leaseEpoch: 4 });
  history.own('davit.rollout.rollback-triggered', { attempt: 1, readBack: OLD, resolvedBy: 'reply' });
  for (const workerId of [9_001, 9_002]) observe(history, workerId, 'old');
  const workers = [9_001, 9_002].map((workerId) => workerOn(workerId, 'old'));
  history.own('davit.rollout.rollback-observed', { workers, observations: 3 });
  removeCanary(story);
  history.own('davit.rollout.rolled-back', { ...ENDING, ...why, workers: 2 });
  return sourcesOf(story);
}

const ENDING = { deployment: 'default/qwen', revision: 2, replicaId: 'default/qwen-1-0-1' };
const sourcesOf = ({ history, kept }: Story): ReceiptSources => ({ events: history.events, evidence: kept.list });

function begin(): Story {
  const story = { history: new History(ROLLOUT), kept: new Kept() };
  const policy = candidate().spec.rollout.evidence;
  if (!policy) throw new Error('no policy');
  story.history.own('davit.rollout.started', {
    ...{ ...ENDING, fromRevision: 1, externalKey: 'dv-qwen-1', workergroupId: 7_301, rollback: OLD, policy },
    because: ['00000000-0000-7000-8000-000000000001'],
  });
  story.history.own('davit.rollout.template-recorded', { template: NEW, resolvedBy: 'reply' });
  story.history.own('davit.rollout.canary-requested', {
    ...{ externalKey: 'dv-canary-1', template: NEW, bounds: BOUNDS.bounds, maxSpend: usd('2.00') },
  });
  story.history.pass(4 * MINUTE_MS);
  return story;
}

const BOUNDS = (() => {
  const answer = boundsFor({
    objectives: { latencyP95Ms: 2_000 },
    worker: { perf: 1_000, parallelRequests: 16, serviceP95Ms: 1_400, loadTimeS: 93, hourly: usd('0.40') },
    load: { requestsPerSecond: 8, costPerRequest: 120, peakFactor: 2, mayBeIdle: false },
    ...{ budgetHourly: usd('4.00'), targetUtil: 0.9, coldMult: 2.5 },
  });
  if (answer.kind !== 'bounds') throw new Error(JSON.stringify(answer.conflicts));
  return { bounds: answer.bounds, arithmetic: [...answer.arithmetic] };
})();

function prove({ history, kept }: Story): void {
  const outputs = [1, 2, 3].map((at) => ({
    prompt: digestOf(`q${at}`),
    output: digestOf(`a${at}`),
    by: 'similarity 0.93',
  }));
  const evidenceDigest = kept.put('candidate', {
    ...{ version: 1, externalKey: 'dv-canary-1', template: NEW, loadMs: 93_000, readinessMs: 1_400 },
    ...{ responseSchema: 'chat.completion', contract: null, outputs: outputs.map((one) => ({ ...one, agrees: true })) },
  });
  history.own('davit.rollout.candidate-proved', {
    ...{ loadMs: 93_000, readinessMs: 1_400, responseSchema: 'chat.completion', evidenceDigest },
    outputs: outputs.map((one) => ({ ...one, agrees: true as const })),
  });
  history.own('davit.rollout.bounds-set', BOUNDS);
  history.own('davit.rollout.bounds-applied', { to: 'canary', readBack: BOUNDS.bounds });
}

const RATES = [4, 8, 16, 8, 4];

function drive({ history, kept }: Story): void {
  const steps = RATES.map((requestsPerSecond) => ({ requestsPerSecond, durationMs: MINUTE_MS }));
  const profileDigest = kept.put('load-profile', { version: 1, steps, prompts: [digestOf('q1')] });
  for (const ramp of [1, 2, 3]) {
    history.own('davit.rollout.load-attempted', {
      ...{ ramp, attempt: 1, profileDigest, maxRequests: 5_000, maxSpend: usd('3.00'), leaseEpoch: 4 },
    });
    const fromMs = history.atMs;
    const ran = RATES.map((requestsPerSecond, index) => {
      const span = { fromMs: fromMs + index * MINUTE_MS, toMs: fromMs + (index + 1) * MINUTE_MS };
      return { ...span, requestsPerSecond, workers: { idle: 1, busy: 1 }, spend: index === 4 ? null : usd('0.0134') };
    });
    const samples = ran.flatMap(({ requestsPerSecond, ...span }) => samplesOf(requestsPerSecond, span.fromMs));
    history.pass(RATES.length * MINUTE_MS);
    const evidenceDigest = kept.put('load-run', { version: 1, profileDigest, ramp, attempt: 1, steps: ran, samples });
    const criterion = ramp < 3 ? 'queue-time missed: 612 ms at the peak' : 'all criteria met over the last two ramps';
    history.own('davit.rollout.load-profile-run', {
      ...{ ramp, attempt: 1, converged: ramp === 3, criterion, evidenceDigest },
      steps: ran.map((step) => ({ requestsPerSecond: step.requestsPerSecond, window: windowOf(step, samples) })),
    });
  }
}

const samplesOf = (rate: number, fromMs: number): LoadSample[] =>
  Array.from({ length: rate * 6 }, (_, index) => {
    const scheduledAtMs = fromMs + index * Math.floor(MINUTE_MS / (rate * 6));
    const isLost = index % 47 === 46;
    return {
      ...{
        scheduledAtMs,
        sentAtMs: scheduledAtMs + 2,
        latencyMs: isLost ? null : 500 + rate * 30 + ((index * 37) % 400),
      },
      ...{ queueMs: isLost ? null : rate * 12, outcome: isLost ? 'timeout' : 'ok', workerId: '9101' },
      ...{ workersRevision: 'candidate', outputTokens: isLost ? null : 118 },
    } as const;
  });

type Step = EvidenceOf<'load-run'>['steps'][number];

function windowOf({ fromMs, toMs, workers, spend }: Step, samples: readonly LoadSample[]) {
  const inside = samples.filter(({ scheduledAtMs }) => scheduledAtMs >= fromMs && scheduledAtMs < toMs);
  const { due, outcomes, latencyMs, queueMs } = summarise(inside);
  const named = ({ p50, p95, p99 }: typeof latencyMs) => ({ p50Ms: p50, p95Ms: p95, p99Ms: p99 });
  return {
    ...{ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), sent: due, ok: outcomes.ok },
    errors: outcomes.timeout === 0 ? {} : { timeout: outcomes.timeout },
    ...{ latency: named(latencyMs), queueTime: named(queueMs), workers, spend },
  };
}

/** 300 requests, the nth of which took 500 ms and the nth part of a second. */
const summaryOf = ({ fromMs, toMs, workers, spend }: Window) => ({
  ...{ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), sent: 300, ok: 300, errors: {} },
  ...{ latency: { p50Ms: 998, p95Ms: 1_448, p99Ms: 1_488 }, queueTime: { p50Ms: 100, p95Ms: 100, p99Ms: 100 } },
  ...{ workers, spend },
});

const workerOn = (workerId: number, on: 'old' | 'candidate'): WorkerView => ({
  ...{ workerId, status: 'idle', loadedAt: null, on },
  ...(on === 'old' ? OLD : NEW),
});

function observe(history: History, workerId: number, on: 'old' | 'candidate', inFlight: number | null = 0): void {
  const worker = workerOn(workerId, on);
  history.own('davit.rollout.worker-observed', { worker, evidence: 'instance', inFlight });
}

function change({ history, kept }: Story): void {
  const windows = Array.from({ length: 30 }, (_, index) => minuteAt(index - 30));
  const baseline = kept.put('baseline', { version: 1, windows: windows as EvidenceOf<'baseline'>['windows'] });
  history.own('davit.rollout.baseline-recorded', { windows: windows.map(summaryOf), evidenceDigest: baseline });
  const asked = {
    ...{ rolloutId: ROLLOUT, workergroupId: 7_301, from: OLD, to: NEW, bounds: BOUNDS.bounds },
    ...{ worstCaseSpend: usd('14.40'), deadlineAt: new Date(history.atMs + 24 * HOUR_MS).toISOString() },
  };
  const evidenceDigest = kept.put('change', { version: 1, ...asked, evidence: [baseline] });
  history.own('davit.rollout.approval-requested', { ...asked, required: true, evidenceDigest });
  const eventId = history.write(DEPLOYMENT, {
    type: 'davit.deployment.rollout-approved',
    data: {
      ...{ intentId: '00000000-0000-7000-8000-00000000000a', rolloutId: ROLLOUT, evidenceDigest, actor: 'ada' },
      reason: 'ramps settled, answers read',
    },
  });
  history.own('davit.rollout.update-attempted', {
    ...{ workergroupId: 7_301, attempt: 1, from: OLD, to: NEW, bounds: BOUNDS.bounds, leaseEpoch: 4 },
    approval: { by: 'operator', eventId, evidenceDigest },
  });
  history.own('davit.rollout.update-triggered', {
    ...{ attempt: 1, readBack: NEW, updateCall: 'called', workersToUpdate: 2, resolvedBy: 'reply' },
  });
  observe(history, 9_001, 'old', 3);
  observe(history, 9_002, 'old');
  observe(history, 9_002, 'candidate');
  observe(history, 9_001, 'old', 0);
  observe(history, 9_001, 'candidate');
  const workers = [9_001, 9_002].map((workerId) => workerOn(workerId, 'candidate'));
  history.own('davit.rollout.converged', { workers, observations: 3 });
}

function decide({ history, kept }: Story, slower: number): string {
  const bundle = goodBundle({
    candidate: Array.from({ length: 30 }, (_, index) => minuteAt(index, { slower })),
    contract: veiledContract(SAME_CONTRACT),
  });
  const { verdict, reasons, alpha, beta, samples } = judge(bundle);
  const bundleDigest = kept.put('verdict-bundle', bundle as EvidenceOf<'verdict-bundle'>);
  const others = (['accept', 'reject', 'wait'] as const).filter((other) => other !== verdict);
  history.pass(30 * MINUTE_MS);
  history.own('davit.rollout.verdict-reached', {
    ...{
      verdict,
      alpha,
      beta,
      samples,
      reasons: reasons.map((one) => ({ ...one, figures: { ...one.figures } })),
      bundleDigest,
    },
    rejectedAlternatives: others.map((other) => ({
      verdict: other,
      because: `${reasons[0]?.rule ?? ''} is ${reasons[0]?.outcome ?? ''}`,
    })),
  });
  return bundleDigest;
}

function removeCanary({ history }: Story): void {
  const externalKey = 'dv-canary-1';
  const deadlineAt = new Date(history.atMs + HOUR_MS).toISOString();
  history.own('davit.rollout.canary-removal-requested', { externalKey, deadlineAt });
  const absence = '00000000-0000-7000-8000-00000000000b';
  history.own('davit.rollout.canary-removed', {
    externalKey,
    absence,
    absentSince: new Date(history.atMs).toISOString(),
  });
}
