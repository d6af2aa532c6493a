import type { RecordedEvent } from '@davit/contracts';

type Told = (event: RecordedEvent) => string | undefined;

/** One line for each step of a rollout that a person would want to see; nothing for the others. */
export const narrate: Told = (event) => proving(event) ?? changing(event) ?? ending(event);

const short = (hash: string): string => hash.slice(0, 8);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const proving: Told = (event) => {
  switch (event.type) {
    case 'davit.rollout.started':
      return `rollout ${event.data.rolloutId} begins; the way back is template ${event.data.rollback.templateId} (${short(event.data.rollback.templateHash)}), read again and unchanged`;
    case 'davit.rollout.refused':
      return `refused: ${event.data.detail}`;
    case 'davit.rollout.template-recorded':
      return `candidate is template ${event.data.template.templateId} (${short(event.data.template.templateHash)})`;
    case 'davit.rollout.canary-requested':
      return `canary ${event.data.externalKey}, at most ${event.data.maxSpend.amount} ${event.data.maxSpend.currency}`;
    case 'davit.rollout.candidate-proved':
      return `canary loaded in ${seconds(event.data.loadMs)}, answers ${event.data.outputs.length} recorded prompts as recorded`;
    case 'davit.rollout.candidate-failed':
      return `the candidate fails at ${event.data.step}: ${event.data.detail.slice(0, 160)}`;
    case 'davit.rollout.bounds-set': {
      const { minLoad, coldWorkers, maxWorkers } = event.data.bounds;
      return `bounds: min_load ${minLoad}, cold_workers ${coldWorkers}, max_workers ${maxWorkers}, from ${event.data.arithmetic.length} lines of arithmetic`;
    }
    case 'davit.rollout.bounds-refused':
      return `no bounds keep everything: ${event.data.conflicts.map(({ detail }) => detail).join('; ')}`;
    case 'davit.rollout.load-profile-run':
      return ramp(event.data);
    case 'davit.rollout.load-aborted':
      return `load of ramp ${event.data.ramp} ends: ${event.data.reason}, ${event.data.detail}`;
    case 'davit.rollout.baseline-recorded':
      return `baseline of production: ${sum(event.data.windows)} requests in ${event.data.windows.length} windows`;
    default:
      return undefined;
  }
};

type Summary = Extract<RecordedEvent, { type: 'davit.rollout.baseline-recorded' }>['data']['windows'];
const sum = (windows: Summary): number => windows.reduce((total, { sent }) => total + sent, 0);

function ramp(data: Extract<RecordedEvent, { type: 'davit.rollout.load-profile-run' }>['data']): string {
  const peak = Math.max(...data.steps.map(({ requestsPerSecond }) => requestsPerSecond));
  const windows = data.steps.map(({ window }) => window);
  const ok = windows.reduce((total, window) => total + window.ok, 0);
  const p95 = Math.max(...windows.map(({ latency }) => latency.p95Ms ?? 0));
  const end = data.converged ? ', converged' : '';
  return `ramp ${data.ramp}: to ${peak} requests/s and back, ${ok} of ${sum(windows)} answered, p95 at most ${Math.round(p95)} ms${end}`;
}

const changing: Told = (event) => {
  switch (event.type) {
    case 'davit.rollout.approval-requested': {
      const { workergroupId, from, to, worstCaseSpend, evidenceDigest } = event.data;
      const worst = worstCaseSpend ? `, at worst ${worstCaseSpend.amount} ${worstCaseSpend.currency}` : '';
      return `waits for a word: workergroup ${workergroupId} from template ${from.templateId} to ${to.templateId}${worst}; evidence ${short(evidenceDigest)}`;
    }
    case 'davit.rollout.update-attempted':
      return `production is pointed at the candidate, by ${event.data.approval.by}'s word`;
    case 'davit.rollout.update-triggered':
      return `read back: template ${event.data.readBack.templateId}; update_workers ${event.data.updateCall}`;
    case 'davit.rollout.update-refused':
      return `the change is refused: ${event.data.detail.slice(0, 160)}`;
    case 'davit.rollout.worker-observed': {
      const { workerId, status, on } = event.data.worker;
      return `  worker ${workerId}: ${status}, on ${on}`;
    }
    case 'davit.rollout.converged':
      return `all ${event.data.workers.length} workers are on the candidate, ${event.data.observations} looks agree`;
    case 'davit.rollout.not-converged':
      return `no convergence: ${event.data.missing.length} workers missing`;
    case 'davit.rollout.paused':
      return `acceptance waits: ${event.data.detail}`;
    case 'davit.rollout.verdict-reached': {
      const { verdict, samples, reasons } = event.data;
      const because = reasons[0] ? `${reasons[0].rule} is ${reasons[0].outcome}` : '';
      return `verdict: ${verdict} (${samples.baseline} against ${samples.candidate} requests; ${because})`;
    }
    default:
      return undefined;
  }
};

const ending: Told = (event) => {
  switch (event.type) {
    case 'davit.rollout.canary-removed':
      return 'canary is deleted and proven gone';
    case 'davit.rollout.withdrawn':
      return `withdrawn before production was touched: ${event.data.reason}`;
    case 'davit.rollout.rollback-attempted':
      return `back to template ${event.data.to.templateId}: ${event.data.reason}`;
    case 'davit.rollout.rollback-observed':
      return `all ${event.data.workers.length} workers are on the old template again, ${event.data.observations} looks agree`;
    case 'davit.rollout.accepted':
      return `ACCEPTED on ${event.data.workers} workers`;
    case 'davit.rollout.rejected':
      return `REJECTED: ${event.data.reason}`;
    case 'davit.rollout.rolled-back':
      return `ROLLED BACK: ${event.data.reason}`;
    default:
      return undefined;
  }
};
