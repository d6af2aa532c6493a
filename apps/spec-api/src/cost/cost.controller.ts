import { COST_GROUPS, type CostGroup, type CostRow, type CostView, NAME_PATTERN } from '@davit/contracts';
import {
  type CostMachine,
  type OrphanState,
  type ReplicaState,
  type RolloutState,
  citingAtMost,
  costReport,
  dayOf,
  daysBefore,
  groupOf,
  startOfDay,
} from '@davit/domain';
import { Controller, Get, Query } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { mustExist } from '../queries/existing.js';
import {
  type Query as Parameters,
  badRequest,
  countOf,
  deploymentKey,
  onlyKnown,
  oneOf,
  single,
} from '../queries/parameters.js';

/** Days that one answer covers where nothing is said, today included. */
const USUAL_DAYS = 30;
const MAX_DAYS = 400;
const MAX_ROWS = 1_000;
/** Positions that each figure cites. */
const USUALLY_CITED = 100;
const MAX_CITED = 10_000;
/** In one answer. */
const MAX_CITED_IN_ALL = 200_000;

/** What was spent, day by day, from what the log says of prices and machines at the time. */
@Controller('v1/cost')
export class CostController {
  /** `from` and `to` are days in UTC, both inclusive: the last 30 days where nothing is said. */
  @Get()
  async cost(@Asked() asking: Asking, @Query() query: Parameters): Promise<CostView> {
    onlyKnown(query, ['deployment', 'tenant', 'from', 'to', 'by', 'cited']);
    const { model, log, position, nowMs } = await asking.view();
    const span = spanOf(query, nowMs);
    const by = groupIn(query);
    const key = deploymentKey(query, 'deployment');
    const tenant = tenantIn(query);
    const cited = countOf(query, 'cited', USUALLY_CITED, MAX_CITED);
    if (key !== undefined) await mustExist({ log, model }, key, '?deployment');
    const group =
      key !== undefined ? groupOf.deployment(key) : tenant === undefined ? undefined : groupOf.tenant(tenant);
    const replicas = await model.list<ReplicaState>('replica', group);
    const orphans = key === undefined ? await model.list<OrphanState>('orphan', group) : [];
    const rollouts = await model.list<RolloutState>('rollout', key === undefined ? group : groupOf.rolloutsOf(key));
    const machines = [
      ...replicas.flatMap(({ document }) => machineOf(document)),
      ...rollouts.flatMap(({ document }) => canaryOf(document)),
      ...orphans.flatMap(({ document }) => orphanOf(document)),
    ];
    const asked = machines.filter((machine) => tenant === undefined || machine.tenant === tenant);
    const { rows, total, ...report } = costReport(asked, { ...span, by }, nowMs);
    const [all = total, ...shown] = cutCitations([total, ...rows.slice(0, MAX_ROWS)], cited);
    return { ...report, rows: shown, total: all, left: Math.max(0, rows.length - MAX_ROWS), position };
  }
}

const machineOf = ({ id, deployment, tenant, meter }: ReplicaState): CostMachine[] =>
  meter ? [{ replica: id, deployment, tenant, meter }] : [];

/** What proves a candidate is paid for by its deployment. */
const canaryOf = ({ canary, deployment, tenant }: RolloutState): CostMachine[] =>
  canary?.meter ? [{ replica: `canary:${canary.externalKey}`, deployment, tenant, meter: canary.meter }] : [];

const orphanOf = ({ key, tenant, meter }: OrphanState): CostMachine[] =>
  meter ? [{ replica: key, deployment: null, tenant, meter }] : [];

/** As many positions as are asked for; fewer in the last rows of an answer that would be too long. */
function cutCitations(rows: readonly CostRow[], cited: number): CostRow[] {
  let left = MAX_CITED_IN_ALL;
  return rows.map((row) => {
    const cut = citingAtMost(row, Math.min(cited, Math.max(left, 1)));
    left -= cut.evidence.confirmed.positions.length + cut.evidence.held.positions.length;
    return cut;
  });
}

function tenantIn(query: Parameters): string | undefined {
  const text = single(query, 'tenant');
  if (text === undefined || NAME_PATTERN.test(text)) return text;
  const message = `${JSON.stringify(text.slice(0, 60))} is not a tenant`;
  throw badRequest([{ path: '?tenant', message, remedy: 'Write its name, for example default.' }]);
}

// `oneOf` answers only with one of these.
const groupIn = (query: Parameters): CostGroup => (oneOf(query, 'by', COST_GROUPS) ?? 'deployment') as CostGroup;

function spanOf(query: Parameters, nowMs: number): { readonly from: string; readonly to: string } {
  const to = dayIn(query, 'to') ?? dayOf(nowMs);
  const from = dayIn(query, 'from') ?? daysBefore(to, USUAL_DAYS - 1);
  if (from > to) {
    throw badRequest([
      { path: '?from', message: `${from} is later than ${to}`, remedy: 'Write the earlier day first.' },
    ]);
  }
  if (from < daysBefore(to, MAX_DAYS - 1)) {
    const remedy = 'Ask for the rest in a second question; reports of days add up.';
    throw badRequest([{ path: '?from', message: `is more than ${MAX_DAYS} days before ${to}`, remedy }]);
  }
  return { from, to };
}

function dayIn(query: Parameters, name: string): string | undefined {
  const text = single(query, name);
  if (text === undefined) return undefined;
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? startOfDay(text) : Number.NaN;
  // 2026-02-31 is read as a day of March, and is none.
  if (!Number.isNaN(ms) && dayOf(ms) === text) return text;
  const message = `${JSON.stringify(text.slice(0, 60))} is not a day`;
  throw badRequest([{ path: `?${name}`, message, remedy: 'Write a day in UTC, for example 2026-11-30.' }]);
}
