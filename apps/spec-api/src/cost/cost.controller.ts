import { COST_GROUPS, type CostGroup, type CostView } from '@davit/contracts';
import { type CostMachine, type ReplicaState, costReport, dayOf, daysBefore, groupOf, startOfDay } from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import { type ServicePorts, tokens } from '@davit/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import {
  type Query as Parameters,
  badRequest,
  deploymentKey,
  onlyKnown,
  oneOf,
  single,
} from '../queries/parameters.js';

/** Days that one answer covers where nothing is said, today included. */
const USUAL_DAYS = 30;
const MAX_DAYS = 400;
const MAX_ROWS = 1_000;

/** What was spent, day by day, from what the log says of prices and machines at the time. */
@Controller('v1/cost')
export class CostController {
  constructor(
    @Inject(tokens.SERVICE_PORTS) private readonly ports: Pick<ServicePorts, 'clock'>,
    @Inject(tokens.READ_MODEL) private readonly model: Pick<ReadModel, 'list' | 'position'>,
  ) {}

  /** `from` and `to` are days in UTC, both inclusive: the last 30 days where nothing is said. */
  @Get()
  async cost(@Query() query: Parameters): Promise<CostView> {
    onlyKnown(query, ['deployment', 'tenant', 'from', 'to', 'by']);
    const nowMs = this.ports.clock.nowMs();
    const span = spanOf(query, nowMs);
    const by = groupIn(query);
    const key = deploymentKey(query, 'deployment');
    const tenant = single(query, 'tenant');
    const group =
      key !== undefined ? groupOf.deployment(key) : tenant === undefined ? undefined : groupOf.tenant(tenant);
    const position = await this.model.position();
    const replicas = await this.model.list<ReplicaState>('replica', group);
    const machines = replicas.flatMap(({ document }) => machineOf(document));
    const asked = machines.filter((machine) => tenant === undefined || machine.tenant === tenant);
    const { rows, ...report } = costReport(asked, { ...span, by }, nowMs);
    return { ...report, rows: rows.slice(0, MAX_ROWS), left: Math.max(0, rows.length - MAX_ROWS), position };
  }
}

const machineOf = ({ id, deployment, tenant, meter }: ReplicaState): CostMachine[] =>
  meter ? [{ replica: id, deployment, tenant, meter }] : [];

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
