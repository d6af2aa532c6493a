import { type ArithmeticLine, type BoundsAnswer, type Bounds } from './bounds.js';
import { type Sheet, sheet, threeDown, wholeUp } from './arithmetic.js';
import { affordableWorkers } from './affordable.js';
import { boundsConflicts } from './checks.js';
import { queueTimes } from './queue-times.js';
import { questionConflicts } from './question-checks.js';
import { type ScalingQuestion } from './question.js';
import { waitP95S } from './queueing.js';

/** Beyond this no endpoint of this kind is planned. */
const MOST_WORKERS = 1_000;
/** An endpoint that may fall idle does so after this many load times. */
const IDLE_LOAD_TIMES = 2;
const LEAST_IDLE_S = 600;
const NEVER = -1;

/**
 * The bounds of an endpoint from what is promised, what a worker was measured to do, what is expected and what may be spent, with
 * every step shown. What cannot be had is refused, and named together with what stands against it.
 */
export function boundsFor(question: ScalingQuestion): BoundsAnswer {
  const paper = sheet();
  const refused = (): BoundsAnswer => ({ kind: 'refused', conflicts: paper.conflicts, arithmetic: paper.lines });
  for (const conflict of questionConflicts(question)) paper.conflict(conflict);
  if (paper.conflicts.length > 0) return refused();
  const queue = queueTimes(question, paper);
  const workers = workersFor(question, queue.targetS, paper);
  const bounds: Bounds = {
    ...floorOf(question, workers.least, paper),
    coldWorkers: workers.cold,
    maxWorkers: workers.most,
    targetQueueTimeS: queue.targetS,
    maxQueueTimeS: queue.maxS,
    targetUtil: question.targetUtil,
    coldMult: question.coldMult,
    minColdLoad: 0,
  };
  if (paper.conflicts.length === 0) {
    const { worker, budgetHourly } = question;
    const context = { perf: worker.perf, workerHourly: worker.hourly, budgetHourly, neededWorkers: workers.expected };
    for (const conflict of boundsConflicts(bounds, context)) paper.conflict(conflict);
  }
  return paper.conflicts.length > 0 ? refused() : { kind: 'bounds', bounds, arithmetic: paper.lines };
}

type Workers = { readonly expected: number; readonly least: number; readonly cold: number; readonly most: number };

function workersFor(question: ScalingQuestion, targetQueueS: number, paper: Sheet): Workers {
  const { load, objectives, declared } = question;
  const expected = activeWorkers(question, 1, targetQueueS, paper);
  const peak = activeWorkers(question, load.peakFactor, targetQueueS, paper);
  const inFlight = concurrentWorkers(question, paper);
  const needed = paper.line({
    name: 'workers for what is expected',
    formula: 'max(by load, by concurrency, 1)',
    inputs: { byLoad: expected, byConcurrency: inFlight },
    ...{ result: Math.max(expected, inFlight, 1), unit: 'workers' },
  });
  const least = load.mayBeIdle ? 0 : Math.max(1, objectives.concurrency === undefined ? 1 : inFlight);
  const most = mostWorkers(question, needed, Math.max(peak, needed), paper);
  const stated = declared?.coldWorkers ?? declared?.minWorkers;
  const cold = paper.line({
    name: 'cold_workers (min_workers)',
    formula: stated === undefined ? 'workers for what is expected, below max_workers' : 'as declared',
    inputs: { needed, most, ...(stated === undefined ? {} : { declared: stated }) },
    ...{ result: stated ?? Math.max(1, Math.min(needed, most - 1)), unit: 'workers' },
  });
  return { expected: needed, least, cold, most };
}

/** As many as carry the load at the planned use, and as many more as keep the wait of 95 % below the target. */
function activeWorkers(question: ScalingQuestion, factor: number, targetQueueS: number, paper: Sheet): number {
  const { worker, load, targetUtil } = question;
  const rate = load.requestsPerSecond * factor;
  const name = factor === 1 ? 'expected' : 'peak';
  const units = paper.line({
    name: `${name} load`,
    formula: 'requests/s × factor × cost of a request',
    inputs: { requestsPerSecond: load.requestsPerSecond, factor, costPerRequest: load.costPerRequest },
    ...{ result: rate * load.costPerRequest, unit: 'load/s' },
  });
  const byLoad = paper.line({
    name: `workers by ${name} load`,
    formula: 'ceil(load / target_util / perf)',
    inputs: { load: units, targetUtil, perf: worker.perf },
    ...{ result: wholeUp(units / targetUtil / worker.perf), unit: 'workers' },
  });
  const perPlace = worker.perf / load.costPerRequest / worker.parallelRequests;
  const waitWith = (workers: number): number => waitP95S(workers * worker.parallelRequests, rate, perPlace);
  let workers = Math.max(1, byLoad);
  while (workers < MOST_WORKERS && waitWith(workers) > targetQueueS) workers += 1;
  return paper.line({
    name: `workers by wait at ${name} load`,
    formula: 'fewest whose p95 wait (Erlang C, workers × parallel places) is within target_queue_time',
    inputs: { byLoad, targetQueueS, parallel: worker.parallelRequests, waitS: Number(waitWith(workers).toFixed(3)) },
    ...{ result: workers, unit: 'workers' },
  });
}

const concurrentWorkers = ({ objectives, worker }: ScalingQuestion, paper: Sheet): number =>
  objectives.concurrency === undefined
    ? 0
    : paper.line({
        name: 'workers by concurrency',
        formula: 'ceil(concurrency / parallel requests of a worker)',
        inputs: { concurrency: objectives.concurrency, parallel: worker.parallelRequests },
        ...{ result: wholeUp(objectives.concurrency / worker.parallelRequests), unit: 'workers' },
      });

/** Room for the peak and for one worker more while a template rolls, as far as the budget reaches. */
function mostWorkers(question: ScalingQuestion, needed: number, peak: number, paper: Sheet): number {
  const { budgetHourly, worker, objectives, declared } = question;
  const budgets = [budgetHourly, ...(objectives.maxHourly === undefined ? [] : [objectives.maxHourly])];
  const affordable = budgets.map((budget) => affordableWorkers(budget, worker.hourly) ?? MOST_WORKERS);
  const paid = paper.line({
    name: 'workers that can be paid for',
    formula: 'floor(least of budget and maxHourly / price of a worker)',
    inputs: {
      ...{ budget: budgetHourly.amount, maxHourly: objectives.maxHourly?.amount ?? 'none' },
      ...{ worker: worker.hourly.amount, currency: worker.hourly.currency },
    },
    ...{ result: Math.min(...affordable), unit: 'workers' },
  });
  const which = affordable[0] === paid ? 'budget.maxHourly' : 'objectives.maxHourly';
  const least = needed + 1;
  if (paid < least) {
    paper.conflict({
      objective: question.objectives.concurrency === undefined ? 'expected load' : 'expected load and concurrency',
      against: which,
      detail: `${needed} workers are needed and one more while a rollout runs, ${paid} can be paid for`,
      figures: { needed, withRoom: least, affordable: paid, worker: worker.hourly.amount },
    });
  }
  const wanted: ArithmeticLine & { result: number } = {
    name: 'max_workers',
    formula: declared?.maxWorkers === undefined ? 'min(peak + 1 for a rollout, paid for)' : 'as declared',
    inputs: { peak, paid },
    ...{ result: declared?.maxWorkers ?? Math.min(peak + 1, paid), unit: 'workers' },
  };
  return paper.line(wanted);
}

function floorOf(question: ScalingQuestion, least: number, paper: Sheet) {
  const { worker, targetUtil, load } = question;
  const minLoad = paper.line({
    name: 'min_load',
    formula: 'workers always active × perf × target_util, rounded down',
    inputs: { workers: least, perf: worker.perf, targetUtil },
    ...{ result: threeDown(least * worker.perf * targetUtil), unit: 'load/s' },
  });
  const inactivityTimeoutS = paper.line({
    name: 'inactivity_timeout',
    formula: load.mayBeIdle ? 'max(600, 2 × load time)' : 'negative: never without an active worker',
    inputs: { loadTimeS: worker.loadTimeS },
    ...{ result: load.mayBeIdle ? Math.max(LEAST_IDLE_S, IDLE_LOAD_TIMES * worker.loadTimeS) : NEVER, unit: 's' },
  });
  return { minLoad, inactivityTimeoutS };
}
