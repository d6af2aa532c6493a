import { type OverBudget, type RecordedEvent, type ReplayPolicy, type SpendLimits } from '@davit/contracts';
import { DEFAULT_LOSS_LIMITS } from '../fleet/limits.js';
import { compareAmounts } from '../money.js';
import type { Retaken } from './retaken.js';

/** Decisions that carry all that decided them, so that they are taken again from their own evidence. Undefined for other events. */
export function retakeRecorded(event: RecordedEvent, policy: ReplayPolicy): Retaken | undefined {
  switch (event.type) {
    case 'davit.replica.drain-requested':
    case 'davit.replica.delete-requested':
      return event.data.budget && ended(event.data.replicaId, event.data.budget, policy);
    case 'davit.runtime.became-unready':
      return unready(event.data, policy.readiness);
    case 'davit.fleet.frozen':
      return frozen(event.data, policy.loss);
    default:
      return undefined;
  }
}

type Data<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { type: Type }>['data'];

function ended(replicaId: string, over: OverBudget, policy: ReplayPolicy): Retaken {
  const { of, name, ceiling, held, currency, limit } = over;
  const limits = of === 'deployment' ? policy.budget : policy.tenantBudget;
  const was = `ended by the ${ceiling} budget of the ${of}`;
  const reason = `${held} ${currency} were held of ${limit}`;
  const [stays, why] = limits === undefined ? [!isOver(over, limit), reason] : staysUnder(over, limits);
  return {
    kind: 'budget',
    about: { kind: 'replica', name: replicaId },
    was: { outcome: was, reason },
    would: { outcome: stays ? 'goes on' : was, reason: why },
    evidence: [{ name: `held by ${of} ${name}`, value: `${held} ${currency}` }],
    alternatives: [],
  };
}

/** A total is used up when it is reached, an hourly ceiling when it is passed. */
const isOver = ({ held, ceiling }: OverBudget, limit: string): boolean =>
  compareAmounts(held, limit) > (ceiling === 'total' ? -1 : 0);

function staysUnder(over: OverBudget, limits: SpendLimits | null): readonly [stays: boolean, reason: string] {
  const { held, currency, ceiling, of } = over;
  const limit = ceiling === 'total' ? limits?.maxTotal : limits?.maxHourly;
  if (!limits || limit === undefined) return [true, `the ${of} would have no ${ceiling} ceiling`];
  if (limits.onExceed === 'refuse') return [true, 'it would end nothing, and only refuse what is new'];
  if (limits.currency !== currency) return [true, `${held} ${currency} are not compared with ${limits.currency}`];
  return [!isOver(over, limit), `${held} ${currency} were held of ${limit}`];
}

function unready(data: Data<'davit.runtime.became-unready'>, policy: ReplayPolicy['readiness']): Retaken {
  const { replicaId, consecutiveFailures, reason, detail, signals = [] } = data;
  const failures = `${consecutiveFailures} failed probes in a row`;
  const waits = consecutiveFailures < (policy?.minFailures ?? 1);
  return {
    kind: 'readiness',
    about: { kind: 'replica', name: replicaId },
    was: { outcome: 'unready', reason: `${reason}: ${failures}` },
    would: waits
      ? { outcome: 'still ready', reason: `${failures}, and ${policy?.minFailures ?? 1} are asked for` }
      : { outcome: 'unready', reason: `${reason}: ${failures}` },
    evidence: [
      { name: 'failed probes', value: String(consecutiveFailures) },
      { name: reason, value: detail },
      ...signals.map(({ source, said }) => ({ name: source, value: said })),
    ],
    alternatives: [],
  };
}

function frozen(data: Data<'davit.fleet.frozen'>, policy: ReplayPolicy['loss']): Retaken {
  const { lost, suspects, serving } = data;
  const { floor = DEFAULT_LOSS_LIMITS.floor, share = DEFAULT_LOSS_LIMITS.share } = policy ?? {};
  const changed = policy?.floor !== undefined || policy?.share !== undefined;
  const allowed = Math.max(floor, share * serving);
  const figures = `${lost} lost and ${suspects} ill of ${serving}`;
  // Without another limit the limits that held then are those that it was decided by, whatever they were.
  const freezes = !changed || lost + suspects > allowed;
  return {
    kind: 'loss',
    about: { kind: 'fleet', name: 'fleet' },
    was: { outcome: 'frozen', reason: figures },
    would: freezes
      ? { outcome: 'frozen', reason: figures }
      : { outcome: 'not frozen', reason: `${figures}, and ${Math.floor(allowed)} may be` },
    evidence: [
      { name: 'lost', value: String(lost) },
      { name: 'seen ill', value: String(suspects) },
      { name: 'served', value: String(serving) },
    ],
    alternatives: [],
  };
}
