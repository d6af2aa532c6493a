import type { NormalisedDeployment, PlanView, StockSignal } from '@davit/contracts';
import { type Accepted, type DeploymentState, questionAbout, rankPlacements, wholeBudget } from '@davit/domain';
import { differences } from './differences.js';
import { failedStartsCost } from './failed-starts.js';
import { rolloutPlan } from './rollout.js';
import { spend } from './spend.js';
import { supportNotes } from './support.js';

export interface PlanInput {
  readonly state: DeploymentState | undefined;
  readonly wanted: NormalisedDeployment;
  /** What `declare` would decide. */
  readonly decision: Accepted;
  /** What the advisor says of each rung, by number; a rung it says nothing of is unknown. */
  readonly signals: ReadonlyMap<number, StockSignal>;
  readonly nowMs: number;
}

/** What applying a specification would do and cost, from what is known now. Pure: planning changes nothing. */
export function plan({ state, wanted, decision, signals, nowMs }: PlanInput): PlanView {
  const current = state?.status === 'active' ? state : undefined;
  const change = changeOf(current, decision);
  const replicas = { from: current?.spec.spec.scaling.replicas ?? 0, to: wanted.spec.scaling.replicas };
  const ladder = judgeLadder(state, wanted, signals, nowMs);
  return {
    deployment: `${wanted.metadata.tenant}/${wanted.metadata.name}`,
    change,
    revision: decision.revision,
    replicas,
    differences: current ? differences(current.spec, wanted) : [],
    rungs: ladder.rungs,
    spend: ladder.spend,
    rollout: rolloutPlan({
      change,
      replicas,
      wanted,
      stock: ladder.rungs.find(({ verdict }) => verdict === 'chosen')?.signal.state,
    }),
    notes: [...stateNotes(state, current, change, wanted, replicas), ...ladder.notes, ...supportNotes(wanted)],
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

type Ladder = Pick<PlanView, 'rungs' | 'spend' | 'notes'>;

function judgeLadder(
  state: DeploymentState | undefined,
  wanted: NormalisedDeployment,
  signals: ReadonlyMap<number, StockSignal>,
  nowMs: number,
): Ladder {
  const { compute, budget, scaling } = wanted.spec;
  const placements = compute.mode === 'elastic' ? compute.placements : [];
  const rungs = placements.map((placement, rung) => ({ rung, placement, signal: signals.get(rung) }));
  if (compute.mode !== 'elastic') {
    const { spend: none, notes } = spend({ rungs, chosen: null, replicas: scaling.replicas, budget });
    return {
      rungs: [],
      spend: { ...none, failedStarts: failedStartsCost(wanted, none.worstCaseHourly) },
      notes: [...notes],
    };
  }
  const revision = state?.revision ?? 0;
  const ranking = rankPlacements({
    ...questionAbout(compute, state, revision, new Map(), (rung) => signals.get(rung)),
    neighbours: [],
    ahead: Math.max(0, scaling.replicas - 1),
    budgets: budget ? [wholeBudget(budget, 'the budget of this specification')] : [],
    nowMs,
  });
  const chosen = ranking.chosen?.rung ?? null;
  const cost = spend({ rungs, chosen, replicas: scaling.replicas, budget });
  return {
    rungs: ranking.candidates.map(({ rung, placement, stock, verdict, reason }) => ({
      rung,
      placement,
      signal: { ...(signals.get(rung) ?? silence(nowMs)), state: stock.state },
      verdict,
      reason,
    })),
    spend: { ...cost.spend, failedStarts: failedStartsCost(wanted, cost.spend.worstCaseHourly) },
    notes: [
      ...(chosen === null ? ['Nothing can be placed now; replicas would wait, for the reasons told of each.'] : []),
      ...scopeNotes(rungs),
      ...cost.notes,
    ],
  };
}

/** A rung of which nothing was heard: unknown, which is neither empty nor full. */
const silence = (nowMs: number): StockSignal => ({
  state: 'unknown',
  source: 'none',
  scope: 'none',
  level: null,
  observedAt: new Date(nowMs).toISOString(),
  expiresAt: new Date(nowMs).toISOString(),
  price: null,
  detail: 'no advice',
  permanent: false,
});

function scopeNotes(rungs: readonly { readonly signal: StockSignal | undefined }[]): string[] {
  const global = new Set(
    rungs.flatMap(({ signal }) => (signal?.scope === 'global' && signal.state !== 'unknown' ? [signal.source] : [])),
  );
  return [...global].map((source) => `Stock from ${source} is a global signal: it does not prove stock in one region.`);
}

function stateNotes(
  state: DeploymentState | undefined,
  current: DeploymentState | undefined,
  change: PlanView['change'],
  wanted: NormalisedDeployment,
  replicas: PlanView['replicas'],
): string[] {
  const notes: string[] = [];
  if (state?.status === 'deleting') notes.push('It is being deleted; applying this declares it anew.');
  if (wanted.spec.compute.mode === 'serverless')
    notes.push('The provider scales and prices the workers of a serverless endpoint.');
  if (wanted.spec.compute.mode === 'direct') notes.push('Direct endpoints already run and cost nothing more here.');
  if (change === 'new-revision' && current) {
    const most =
      wanted.spec.rollout.strategy === 'surge' ? replicas.from + replicas.to : Math.max(replicas.from, replicas.to);
    notes.push(`While revision ${current.revision} hands over, up to ${most} replicas run at once.`);
  }
  return notes;
}
