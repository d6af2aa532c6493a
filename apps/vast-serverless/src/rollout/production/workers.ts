import type { TemplateIdentity } from '@davit/contracts';
import type { Money } from '@davit/domain';
import { addAmounts, compareAmounts, divideAmount, timesDecimal, touchedProduction } from '@davit/domain';
import type { GroupRow } from '../../vast/api/workergroups.js';
import { join, type JoinedWorker } from '../../vast/joined.js';
import { type Failure, isDenied } from '../../vast/wire/reply.js';
import type { Turn } from '../turn.js';

/** What was asked for was not answered, or not in a form that says something. */
export interface NotSeen {
  readonly notSeen: string;
  /** The key, or the account, may not see it. */
  readonly isDenied?: boolean;
}
const unseen = (reply: Failure): NotSeen => ({ notSeen: reply.detail, isDenied: isDenied(reply) });
export const isNotSeen = (value: object): value is NotSeen => 'notSeen' in value;

/** The workergroup that is rolled, as it is stored now. */
export async function groupNow({ parts, plan }: Turn): Promise<GroupRow | NotSeen> {
  const reply = await parts.client.workergroups.list();
  if (reply.kind !== 'confirmed') return unseen(reply);
  return reply.value.find(({ id }) => id === plan.workergroupId) ?? { notSeen: `workergroup ${plan.workergroupId}` };
}

export const holds = (group: GroupRow, { templateId, templateHash }: TemplateIdentity): boolean =>
  group.template_id === templateId && group.template_hash === templateHash;

/** Workers of an endpoint with their instances. An error in the place of a list is no empty list. */
export async function workersOf(turn: Turn, endpointId: number): Promise<readonly JoinedWorker[] | NotSeen> {
  const { client } = turn.parts;
  const workers = await client.workers.ofEndpoint(endpointId);
  if (workers.kind !== 'confirmed') return unseen(workers);
  const instances = await client.instances.list();
  // Once production has changed, workers are told apart by their answers, if need be.
  if (instances.kind !== 'confirmed' && !touchedProduction(turn.state)) return unseen(instances);
  return join(workers.value, instances.kind === 'confirmed' ? instances.value : undefined);
}

export const endpointIdOf = ({ endpoint_id }: GroupRow): number => endpoint_id ?? 0;

const HOUR_MS = 3_600_000;

/** What something costs over a time, by its price an hour. */
export const amountFor = (hourly: string, lastsMs: number): string =>
  divideAmount(timesDecimal(hourly, String(Math.ceil(lastsMs))), HOUR_MS, 9);

/** The dearest of them an hour; null while the price of one is not known, or there is none. */
export function dearest(workers: readonly JoinedWorker[]): Money | null {
  const amounts = workers.map(({ instance }) => instance?.dph_total ?? null);
  const known = amounts.flatMap((amount) => (amount === null ? [] : [addAmounts(amount, '0')]));
  if (known.length < amounts.length) return null;
  const amount = known.toSorted(compareAmounts).at(-1);
  return amount === undefined ? null : { amount, currency: 'USD' };
}
