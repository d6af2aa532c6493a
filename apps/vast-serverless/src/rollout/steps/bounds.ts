import type { ScalingBounds } from '@davit/contracts';
import { boundsFor, multiplyAmount, type ScalingQuestion } from '@davit/domain';
import type { ReconcileResult } from '@davit/reconcile';
import { askPrompts, recordedOf } from '../canary/ask-prompts.js';
import { canaryTarget } from '../canary/target.js';
import { dearest, isNotSeen, type NotSeen, workersOf } from '../production/workers.js';
import { promptsOf } from '../prompts.js';
import { cut, type Turn } from '../turn.js';
import { serverlessOf } from '../../vast/policy.js';

/** Bounds from what is promised, what may be spent, and what a worker of the canary was measured to bear. */
export async function workOutBounds(turn: Turn): Promise<ReconcileResult> {
  const question = await questionOf(turn);
  if (isNotSeen(question)) return turn.notKnown('bounds', question);
  const answer = boundsFor(question);
  const rolloutId = turn.state.id;
  const arithmetic = answer.arithmetic.slice(0, 64).map((line) => ({ ...line, formula: line.formula.slice(0, 300) }));
  if (answer.kind === 'bounds') {
    const bounds: ScalingBounds = answer.bounds;
    return turn.write({ type: 'davit.rollout.bounds-set', data: { rolloutId, bounds, arithmetic } });
  }
  const conflicts = answer.conflicts
    .slice(0, 32)
    .map(({ objective, against, detail }) => ({ objective, against, detail: cut(detail) }));
  return turn.write({ type: 'davit.rollout.bounds-refused', data: { rolloutId, conflicts, arithmetic } });
}

async function questionOf(turn: Turn): Promise<ScalingQuestion | NotSeen> {
  const { state, parts, plan, deployment } = turn;
  const spec = deployment.revisions[state.revision];
  const compute = spec && serverlessOf(spec);
  const target = canaryTarget(turn);
  const prompts = await promptsOf(turn);
  if (!spec || !compute || !target || !prompts) return { notSeen: 'no specification, no canary or no prompts' };
  const workers = await workersOf(turn, target.endpointId);
  if (isNotSeen(workers)) return workers;
  const measured = workers.filter(({ measuredPerf, loadedAtMs }) => loadedAtMs !== null && (measuredPerf ?? 0) > 0);
  const perf = Math.min(...measured.map(({ measuredPerf }) => measuredPerf ?? Infinity));
  const hourly = dearest(measured);
  if (measured.length === 0 || hourly === null)
    return { notSeen: 'no worker of the canary tells throughput and price' };
  const answers = await askPrompts(parts, target, recordedOf(prompts).asked);
  if (answers.some(({ observed }) => observed === null)) return { notSeen: 'the canary did not answer' };
  const serviceP95Ms = Math.max(1, ...answers.map(({ latencyMs }) => latencyMs));
  const costPerRequest = prompts.reduce((sum, { cost }) => sum + cost, 0) / prompts.length;
  const { launch, resource } = state.canary?.resource ?? {};
  const loadTimeS = Math.max(1, (Date.parse(resource?.at ?? '') - Date.parse(launch?.requestedAt ?? '')) / 1_000 || 1);
  // Little's law: at full throughput so many are under way.
  const parallelRequests = Math.max(1, Math.floor((perf / costPerRequest) * (serviceP95Ms / 1_000)));
  const { workers: declared } = compute;
  return {
    objectives: plan.policy.objectives,
    worker: { perf, parallelRequests, serviceP95Ms, loadTimeS, hourly },
    load: {
      ...{ requestsPerSecond: plan.policy.load.requestsPerSecond, costPerRequest, peakFactor: 2 },
      mayBeIdle: declared.minLoad === 0,
    },
    // Without a limit, what is declared to run at most.
    budgetHourly: turn.hourlyLimit ?? {
      amount: multiplyAmount(hourly.amount, declared.max),
      currency: hourly.currency,
    },
    ...{ targetUtil: declared.targetUtilisation, coldMult: declared.coldMultiplier },
    declared: { coldWorkers: declared.cold, maxWorkers: declared.max },
  };
}
