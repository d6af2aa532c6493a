import type { NormalisedDeployment, PlanView, StockSignal } from '@davit/contracts';
import { type Accepted, type DeploymentState, budgetRoom, isLive } from '@davit/domain';
import { type Difference, differences } from '@davit/projection';
import { applied } from './applied.js';
import { boundsOf } from './bounds.js';
import { accountsOf, judgeAddition } from './budgets.js';
import { failedStartsCost } from './failed-starts.js';
import type { Known } from './known.js';
import { placementNotes, stateNotes } from './notes.js';
import { candidatesOf, liveOf, ranked, tally } from './ranked.js';
import { rolloutPlan } from './rollout.js';
import { spend } from './spend.js';
import { supportNotes } from './support.js';

const DEFAULT_CURRENCY = 'USD';

export interface PlanInput {
  /** As its own stream has it. */
  readonly state: DeploymentState | undefined;
  readonly wanted: NormalisedDeployment;
  /** What `declare` would decide. */
  readonly decision: Accepted;
  /** What the advisor says of each rung, by number; a rung it says nothing of is unknown. */
  readonly signals: ReadonlyMap<number, StockSignal>;
  readonly known: Known;
  readonly nowMs: number;
}

/** What applying a specification would do and cost, from what is known now. Pure: planning changes nothing. */
export function plan(input: PlanInput): PlanView {
  const { state, wanted, decision } = input;
  const current = state?.status === 'active' ? state : undefined;
  const change = changeOf(current, decision);
  const replicas = { from: current?.spec.spec.scaling.replicas ?? 0, to: wanted.spec.scaling.replicas };
  const outlook = wanted.spec.compute.mode === 'elastic' ? elastic(input) : unpriced(wanted);
  const { strategy } = wanted.spec.rollout;
  return {
    deployment: `${wanted.metadata.tenant}/${wanted.metadata.name}`,
    change,
    revision: decision.revision,
    replicas,
    differences: current ? differences(current.spec, wanted).map(orNull) : [],
    ...outlook,
    rollout: rolloutPlan({
      change,
      replicas,
      wanted,
      stock: outlook.rungs.find(({ verdict }) => verdict === 'chosen')?.signal.state,
    }),
    notes: [
      ...stateNotes({ state, current, change, wanted, replicas, strategy }),
      ...outlook.notes,
      ...supportNotes(wanted),
    ],
  };
}

function changeOf(current: DeploymentState | undefined, decision: Accepted): PlanView['change'] {
  if (!current) return 'new';
  if (!decision.changed) return 'none';
  if (decision.revision !== current.revision) return 'new-revision';
  const [event] = decision.events;
  const next = event?.type === 'davit.deployment.declared' ? event.data.spec.spec.scaling.replicas : undefined;
  return next === current.spec.spec.scaling.replicas ? 'settings' : 'scale';
}

type Outlook = Pick<PlanView, 'rungs' | 'placed' | 'spend' | 'budgets' | 'notes'>;

/** Where its replicas would go, by the policy and the questions that place them, and what that costs. */
function elastic({ state, wanted, decision, signals, known, nowMs }: PlanInput): Outlook {
  const { compute, budget, scaling, rollout } = wanted.spec;
  if (compute.mode !== 'elastic') return unpriced(wanted);
  const { revision } = decision;
  const key = `${wanted.metadata.tenant}/${wanted.metadata.name}`;
  const after = applied(merged(state, known.deployment), decision, { key, nowMs });
  const kept = liveOf(known.replicas, revision).slice(0, scaling.replicas);
  const old = known.replicas.filter((replica) => replica.revision !== revision && isLive(replica));
  const count = scaling.replicas - kept.length;
  const isInPlace = rollout.strategy === 'in-place';
  const accounts = accountsOf(after, known, (replica) => isInPlace && old.some(({ id }) => id === replica.id));
  const rooms = accounts.map((account) => budgetRoom(account, nowMs));
  const { ranking, places } = ranked({ compute, after, revision, count, signals, known, rooms, nowMs });
  const rungs = candidatesOf(ranking, signals, nowMs);
  const currency = budget?.currency ?? currencyIn(rungs) ?? accounts[0]?.limits.currency ?? DEFAULT_CURRENCY;
  const bounds = boundsOf(rungs, currency, accounts.length > 0);
  const budgets = accounts.map((account) =>
    judgeAddition(account, { count, lowest: bounds.lowest, highest: bounds.highest?.amount ?? null, currency }, nowMs),
  );
  const comparable = budgets.filter(({ limits }) => limits.currency === currency);
  const cost = spend({
    ...{ candidates: rungs, bounds, places, kept, old, currency, budgets: comparable },
    ...{ replicas: scaling.replicas, strategy: rollout.strategy },
  });
  return {
    rungs,
    placed: tally(places),
    spend: { ...cost.spend, failedStarts: failedStartsCost(wanted, cost.spend.worstCaseHourly) },
    budgets,
    notes: [...placementNotes(ranking, places, rungs), ...cost.notes],
  };
}

/** The stream is as new as can be; only the projection tells of refusals and of prices that were accepted. */
function merged(state: DeploymentState | undefined, stored: DeploymentState | undefined): DeploymentState | undefined {
  if (!state || !stored) return state;
  const { refusals, firstPrices, heldBack, incarnations } = stored;
  return stored.version === state.version ? stored : { ...state, refusals, firstPrices, heldBack, incarnations };
}

const currencyIn = (rungs: PlanView['rungs']): string | undefined =>
  rungs.find(({ price }) => price.price !== null)?.price.price?.currency;

/** Nobody is asked what it costs: what already runs is not ours, and a serverless endpoint is priced by its provider. */
function unpriced({ spec: { compute, budget, scaling } }: NormalisedDeployment): Outlook {
  const isFree = compute.mode === 'direct' || scaling.replicas === 0;
  const amount = isFree ? '0' : null;
  return {
    rungs: [],
    placed: [],
    budgets: [],
    spend: {
      currency: budget?.currency ?? DEFAULT_CURRENCY,
      ...{ chosenHourly: amount, worstCaseHourly: amount, worstCaseDaily: amount, worstCaseRung: null },
      ...{ duringRollout: null, hoursUntilTotal: null, failedStarts: amount },
      ceilingHourly: budget?.maxHourly ?? null,
      ceilingTotal: budget?.maxTotal ?? null,
    },
    notes: [],
  };
}

/** A place that is not there is null in a plan. */
const orNull = ({ path, from, to }: Difference): PlanView['differences'][number] => ({
  path,
  from: from ?? null,
  to: to ?? null,
});
