import { type ExplainView, type RecordedEvent, stream } from '@davit/contracts';
import { type DeploymentState, type ReplicaState, type RolloutState, type TenantState, groupOf } from '@davit/domain';
import { type FoundAccount, foundOfDeployment, foundOfTenant } from '../../budgets/accounts.js';
import { budgetView } from '../../budgets/budget-view.js';
import { type StoryPage, type Told, answerOf, isKey } from '../answer.js';
import { brokenDeclarations, brokenLimits } from '../gaps.js';
import { type Part, cutTo, parts, readIntents, readPart } from '../part-reader.js';
import { readWishes } from '../wishes.js';

/** Lives of replicas that are looked through, and rollouts, the latest. */
const MAX_LIVES = 300;
const MAX_ROLLOUTS = 100;

/** How a budget of a deployment, `<tenant>/<name>`, or of a whole tenant stands, and what it decided. Undefined where neither is known. */
export async function explainBudget(told: Told, name: string, page: StoryPage): Promise<ExplainView | undefined> {
  const { model, nowMs } = told;
  const found = await foundOf(model, name);
  if (!found) return undefined;
  const { account, deployments } = found;
  const past = await pastOf(told, name, deployments);
  const broken = name.includes('/') ? brokenDeclarations(past.events) : brokenLimits(past.events);
  const view = account && budgetView(account, deployments, nowMs, 0);
  const now = view ? `${view.state}: ${view.why}` : 'no budget is set';
  return answerOf(told, { about: { kind: 'budget', name }, now, past, broken }, page);
}

async function foundOf(model: Told['model'], name: string): Promise<FoundAccount | undefined> {
  if (name.includes('/')) {
    const stored = isKey(name) ? await model.get<DeploymentState>('deployment', name) : undefined;
    return stored && foundOfDeployment(model, stored.document);
  }
  const stored = await model.get<TenantState>('tenant', name);
  if (stored) return foundOfTenant(model, stored.document);
  const deployments = await model.list<DeploymentState>('deployment', groupOf.tenant(name));
  if (deployments.length === 0) return undefined;
  return { account: undefined, deployments: deployments.map(({ document }) => document) };
}

/** Limits with the intents that set them, what they or the ceiling of a canary let wait or ended, and the alarms about them. */
async function pastOf({ log, model }: Told, name: string, deployments: readonly DeploymentState[]): Promise<Part> {
  const group = name.includes('/') ? groupOf.deployment(name) : groupOf.tenant(name);
  const [present, rollouts] = await Promise.all([
    model.list<ReplicaState>('replica', group),
    model.list<RolloutState>('rollout', name.includes('/') ? groupOf.rolloutsOf(name) : group),
  ]);
  const [replicas, tried] = [inOrder(present), inOrder(rollouts)];
  const [lives, latest] = [replicas.slice(-MAX_LIVES), tried.slice(-MAX_ROLLOUTS)];
  const read = await Promise.all([
    ...deployments.map(({ key, tenant }) => readWishes(log, { tenant, deployment: key }, ALL_OF_IT)),
    ...lives.map(({ key }) => readPart(log, stream.replica(key), { keep: isOfBudget })),
    ...latest.map(({ key }) => readPart(log, stream.rollout(key), { keep: isOverspent })),
    readPart(log, stream.fleetAlarms, { keep: (event) => isAlarm(event, name) }),
    ...(name.includes('/') ? [] : [gatherLimits(log, name)]),
  ]);
  return parts([...read, cutTo(lives, replicas, 'lives'), cutTo(latest, tried, 'rollouts')]);
}

const inOrder = <One extends { readonly position: number }>(all: readonly One[]): readonly One[] =>
  all.toSorted((a, b) => a.position - b.position);

const ALL_OF_IT = { revision: null, from: 0, to: Number.MAX_SAFE_INTEGER };

/** What a tenant was allowed to spend, with the intents that said so. */
export async function gatherLimits(log: Told['log'], tenant: string): Promise<Part> {
  const own = await readPart(log, stream.tenant(tenant));
  return parts([own, await readIntents(log, own.events)]);
}

function isOfBudget({ type, data }: RecordedEvent): boolean {
  if (type === 'davit.replica.deferred') return data.waitsFor === 'budget';
  return 'budget' in data && data.budget !== undefined;
}

const isOverspent = ({ data }: RecordedEvent): boolean => 'reason' in data && data.reason === 'canary-spend';

const isAlarm = ({ data }: RecordedEvent, name: string): boolean =>
  'alarm' in data && 'about' in data && data.alarm.startsWith('budget-') && data.about === name;
