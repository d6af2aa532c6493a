import { compareAmounts, multiplyAmount } from '../../money.js';
import { type Response, type ResponsePolicy, type Situation } from './situation.js';

type Of<Kind extends Situation['kind']> = Extract<Situation, { kind: Kind }>;

/** From what went wrong to what is done about it. Neither looks nor acts: the same situation always has the same answer. */
export function respondTo(situation: Situation, policy: ResponsePolicy): Response {
  switch (situation.kind) {
    case 'canary-cannot-load':
      return { action: 'stop', production: 'untouched', remedy: remedyOf(situation) };
    case 'queue-time-breached':
      return queueResponse(situation, policy);
    case 'not-converged':
      return convergenceResponse(situation, policy);
    case 'contract-regressed':
      return rollBack(
        `the output contract regressed: ${situation.differences.map(({ probe, detail }) => `${probe}: ${detail}`).join('; ')}`,
        [situation.evidenceDigest],
      );
  }
}

const rollBack = (because: string, keepEvidence: readonly string[] = []): Response => ({
  action: 'roll-back',
  to: 'last-verified',
  because,
  claimsZeroDowntime: false,
  keepEvidence,
});

const REMEDIES: Readonly<Record<Of<'canary-cannot-load'>['step'], string>> = {
  image: 'fix the image: its name, its tag or its access',
  model: 'fix the model: its name, its access or the memory that it needs',
  environment: 'fix the environment: a variable or a secret that the server needs',
  readiness: 'fix what keeps the server from becoming ready: image, model or environment',
  unknown: 'read the logs of the canary, then fix image, model or environment',
};

const remedyOf = ({ step, detail }: Of<'canary-cannot-load'>): string => `${REMEDIES[step]} (${detail})`;

/** Pause; then more workers if they can be paid for; then back. What is not measured pauses and no more (law 4). */
function queueResponse(situation: Of<'queue-time-breached'>, policy: ResponsePolicy): Response {
  const { breach, lastsMs, raises } = situation;
  if (breach !== 'proven') {
    const because = breach === 'unknown' ? 'the queue time is not measured' : 'the queue time may be breached';
    return { action: 'hold', acceptance: 'paused', because };
  }
  const raised = raises < policy.mostRaises ? affordable(situation, policy.workersPerRaise) : undefined;
  if (raised) return { action: 'raise-capacity', acceptance: 'paused', ...raised };
  if (raises > 0 && lastsMs < policy.breachPatienceMs) {
    return { action: 'hold', acceptance: 'paused', because: 'capacity was raised, and is given time to come' };
  }
  const why = raises > 0 ? `in spite of ${raises} raises` : 'and no more capacity can be paid for';
  return rollBack(`the queue time is breached ${why}`);
}

/** One raise, if even its worst case stays within the budget. A price that is not known cannot be paid. */
function affordable({ maxWorkers, workerHourly, budgetHourly }: Of<'queue-time-breached'>, more: number) {
  if (workerHourly === null || workerHourly.currency !== budgetHourly.currency) return undefined;
  const raised = maxWorkers + more;
  const amount = multiplyAmount(workerHourly.amount, raised);
  if (compareAmounts(amount, budgetHourly.amount) > 0) return undefined;
  return { maxWorkers: raised, worstHourly: { amount, currency: budgetHourly.currency } };
}

/** First the logs, whatever the time; back only once they were looked at and time is up. */
function convergenceResponse(situation: Of<'not-converged'>, policy: ResponsePolicy): Response {
  const { missing, lastsMs, areLogsInspected } = situation;
  const workerIds = missing.map(({ workerId }) => workerId);
  if (!areLogsInspected) return { action: 'inspect-logs', acceptance: 'paused', workerIds, claimsZeroDowntime: false };
  if (lastsMs < policy.convergenceDeadlineMs) {
    const because = `${missing.length} workers are not proven on the candidate: ${workerIds.join(', ')}`;
    return { action: 'hold', acceptance: 'paused', because };
  }
  return rollBack(`${missing.length} workers did not converge: ${workerIds.join(', ')}`);
}
