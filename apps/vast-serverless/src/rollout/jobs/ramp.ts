import {
  compareAmounts,
  divideAmount,
  multiplyAmount,
  type LoadStep,
  type NextStep,
  plannedRequests,
  subtractAmounts,
} from '@davit/domain';
import type { ReconcileResult } from '@davit/reconcile';
import { type LoadRun, runLoad } from '../../load/run-load.js';
import { rampSteps } from '../../load/ramp/ramp.js';
import { promptDigest } from '../../load/record/request-record.js';
import type { LoadTarget } from '../../load/load-parts.js';
import { amountFor, dearest, isNotSeen, workersOf } from '../production/workers.js';
import { canaryTarget } from '../canary/target.js';
import { promptsOf } from '../prompts.js';
import { cut, type Turn } from '../turn.js';
import { LEFT } from './jobs.js';
import { rampEvidence } from './ramp-evidence.js';

const RAMPS = 3;
/** Arrivals at random may be more than planned. */
const SPARE = 1.25;
const SPARE_REQUESTS = 50;
/** Prices may be other than they were when a ramp began. */
const SPARE_SPEND = 2;

const nameOf = (ramp: number, attempt: number): string => `ramp ${ramp}/${attempt}`;

/** One ramp up to twice what is expected and back. It runs beside the passes, which hear it out. */
export async function beginRamp(turn: Turn, ramp: number, attempt: number): Promise<ReconcileResult> {
  const { state, plan, parts, context } = turn;
  const target = canaryTarget(turn);
  const prompts = await promptsOf(turn);
  if (!target || !prompts || state.phase.name !== 'ramping') return turn.notKnown('load', 'no canary or no prompts');
  const { load } = plan.policy;
  const steps = rampSteps(load);
  const caps = await capsOf(turn, target, steps, state.phase);
  const profile = await parts.evidence.put('load-profile', {
    version: 1,
    steps: steps.map(({ requestsPerSecond, fromMs, toMs }) => ({ requestsPerSecond, durationMs: toMs - fromMs })),
    prompts: prompts.map(promptDigest),
  });
  const attempted = await turn.append({
    type: 'davit.rollout.load-attempted',
    data: {
      ...{ rolloutId: state.id, ramp, attempt, profileDigest: profile.digest },
      ...{ maxRequests: caps.maxRequests, maxSpend: caps.maxSpend, leaseEpoch: context.epoch },
    },
  });
  if (!attempted || !(await context.holdsLease())) return turn.soon;
  turn.jobs.begin(state.id, nameOf(ramp, attempt), profile.digest, (ordered) =>
    runLoad(parts, {
      ...{ target, prompts, steps, caps, ordered },
      deadlineMs: parts.pace.requestDeadlineMs,
      watch: { everyMs: parts.pace.lookMs, instancesMs: parts.pace.lookMs * 3 },
    }),
  );
  return turn.soon;
}

type Ramping = Extract<Turn['state']['phase'], { readonly name: 'ramping' }>;

/**
 * What is left of the caps of all ramps together, in even parts. A run that was cut off counts as if it had used all of its part, which
 * therefore is no more than it may come to.
 */
async function capsOf(turn: Turn, { endpointId }: LoadTarget, steps: readonly LoadStep[], { run, used }: Ramping) {
  const { load, canary } = turn.plan.policy;
  const { amount, currency } = load.maxSpend;
  const left = compareAmounts(amount, used.spend) > 0 ? subtractAmounts(amount, used.spend) : '0';
  const part = divideAmount(left, RAMPS - Math.min(run.length, RAMPS - 1), 9);
  const workers = await workersOf(turn, endpointId);
  const hourly = isNotSeen(workers) ? null : dearest(workers);
  const lastsMs = (steps.at(-1)?.toMs ?? 0) + turn.parts.pace.requestDeadlineMs;
  const most = hourly && amountFor(multiplyAmount(hourly.amount, canary.maxWorkers), lastsMs * SPARE_SPEND);
  const wanted = Math.ceil(plannedRequests(steps) * SPARE) + SPARE_REQUESTS;
  return {
    maxRequests: Math.max(1, Math.min(load.maxRequests - used.requests, wanted)),
    maxDurationMs: Math.max(1, load.maxDurationMs - used.elapsedMs),
    maxSpend: { amount: most !== null && compareAmounts(most, part) < 0 ? most : part, currency },
  };
}

/**
 * Load that runs in this process is heard out, and what it came to is written, before anything else is decided; where something else
 * is due, it is told to end. Undefined where none runs here.
 */
export async function endLoadFirst(turn: Turn, next: NextStep): Promise<ReconcileResult | undefined> {
  const { state, jobs } = turn;
  const present = state.phase.name === 'ramping' ? state.phase.present : null;
  if (!present || present.aborted !== null) return undefined;
  const { ramp, attempt } = present;
  const name = nameOf(ramp, attempt);
  const job = jobs.get<string, LoadRun>(state.id, name);
  if (!job) return undefined;
  const why = otherwise(next);
  if (why !== null) job.order(why);
  if (job.end === null) return turn.soon;
  const aborted = (reason: NonNullable<LoadRun['stopped']>['reason'], detail: string): Promise<ReconcileResult> =>
    turn.write({
      type: 'davit.rollout.load-aborted',
      data: { rolloutId: state.id, ramp, attempt, reason, detail: cut(detail) },
    });
  if (!job.end.ok) return aborted('interrupted', job.end.detail);
  const { result } = job.end;
  if (result.stopped)
    return aborted(isLeft(result.stopped) ? 'interrupted' : result.stopped.reason, result.stopped.detail);
  return turn.write(await rampEvidence(turn, { ramp, attempt, profileDigest: job.data, result }));
}

/** Ended because this process stood still for long; nobody wanted it to end. */
const isLeft = ({ reason, detail }: NonNullable<LoadRun['stopped']>): boolean =>
  reason === 'ordered' && detail === LEFT;

/** Why load has to end before it has run its course; null where nothing else is due than hearing it out. */
function otherwise(next: NextStep): string | null {
  const [event] = next.kind === 'append' ? next.events : [];
  if (event?.type === 'davit.rollout.load-aborted') return null;
  return event?.type === 'davit.rollout.withdrawn' ? event.data.detail : 'something else is due';
}
