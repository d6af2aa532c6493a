import type { ArithmeticLine, Bounds } from '../../scaling/bounds.js';
import { boundsFor } from '../../scaling/policy.js';
import type { ScalingQuestion } from '../../scaling/question.js';
import type { Receipt } from '../receipt.js';
import { type ReceiptFinding, differences, finding } from './finding.js';

/** Works bounds out again from the inputs that their arithmetic shows, by the policy itself. */
export function boundsFindings({ bounds }: Receipt): readonly ReceiptFinding[] {
  if (bounds.set === null) return [];
  const question = questionOf(bounds.arithmetic, bounds.set);
  if (question === undefined) return [finding('bounds', 'bounds.arithmetic', 'its inputs are not those of the policy')];
  const answer = boundsFor(question);
  if (answer.kind === 'refused') {
    const told = answer.conflicts.map(({ detail }) => detail).join('; ');
    return [finding('bounds', 'bounds.set', `these inputs allow no bounds: ${told}`)];
  }
  return [
    ...differences(bounds.set, answer.bounds).map((path) =>
      finding('bounds', `bounds.set.${path}`, 'is not what the inputs give'),
    ),
    ...differences(bounds.arithmetic, answer.arithmetic).map((path) =>
      finding('bounds', `bounds.arithmetic.${path}`, 'is not how the inputs are reckoned with'),
    ),
  ];
}

type Input = (line: string, name: string) => number | undefined;

/** The question that a calculation answered, from the calculation. */
function questionOf(arithmetic: readonly ArithmeticLine[], set: Bounds): ScalingQuestion | undefined {
  const lines = new Map(arithmetic.map((line) => [line.name, line]));
  const raw = (line: string, name: string) => lines.get(line)?.inputs[name];
  const input: Input = (line, name) => {
    const value = raw(line, name);
    return typeof value === 'number' ? value : undefined;
  };
  const perf = input('workers by expected load', 'perf');
  const parallelRequests = input('workers by wait at expected load', 'parallel');
  const loadTimeS = input('inactivity_timeout', 'loadTimeS');
  const requestsPerSecond = input('expected load', 'requestsPerSecond');
  const costPerRequest = input('expected load', 'costPerRequest');
  // At a factor of 1 the peak is what is expected, and is shown under that name.
  const peakFactor = input('peak load', 'factor') ?? 1;
  const targetUtil = input('workers by expected load', 'targetUtil');
  const paid = lines.get('workers that can be paid for')?.inputs;
  const [budget, price, currency] = [paid?.['budget'], paid?.['worker'], paid?.['currency']];
  if (perf === undefined || parallelRequests === undefined || loadTimeS === undefined) return undefined;
  if (requestsPerSecond === undefined || costPerRequest === undefined) return undefined;
  if (targetUtil === undefined || typeof budget !== 'string' || typeof price !== 'string') return undefined;
  if (typeof currency !== 'string' || !isAmount(budget) || !isAmount(price)) return undefined;
  return {
    objectives: objectivesOf(input, raw('workers that can be paid for', 'maxHourly'), currency),
    worker: {
      ...{ perf, parallelRequests, loadTimeS, hourly: { amount: price, currency } },
      // Where nothing is promised of latency, it decides nothing.
      serviceP95Ms: input('wait that the latency objective leaves', 'serviceP95Ms') ?? 1,
    },
    load: { requestsPerSecond, costPerRequest, peakFactor, mayBeIdle: set.minLoad === 0 },
    budgetHourly: { amount: budget, currency },
    ...{ targetUtil, coldMult: set.coldMult },
    declared: declaredOf(lines),
  };
}

const isAmount = (text: string): boolean => /^\d+(?:\.\d+)?$/.test(text);

function objectivesOf(
  input: Input,
  maxHourly: number | string | undefined,
  currency: string,
): ScalingQuestion['objectives'] {
  const latencyP95Ms = input('wait that the latency objective leaves', 'latencyP95Ms');
  const byPromise = input('max_queue_time', 'byPromise');
  const concurrency = input('workers by concurrency', 'concurrency');
  const isStated = typeof maxHourly === 'string' && isAmount(maxHourly);
  return {
    ...(latencyP95Ms === undefined ? {} : { latencyP95Ms }),
    ...(byPromise === undefined ? {} : { queueTimeP95Ms: byPromise * 1_000 }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(isStated ? { maxHourly: { amount: maxHourly, currency } } : {}),
  };
}

function declaredOf(lines: ReadonlyMap<string, ArithmeticLine>): NonNullable<ScalingQuestion['declared']> {
  const stated = (name: string): number | undefined => {
    const line = lines.get(name);
    return line?.formula === 'as declared' && typeof line.result === 'number' ? line.result : undefined;
  };
  return { coldWorkers: stated('cold_workers (min_workers)'), maxWorkers: stated('max_workers') };
}
