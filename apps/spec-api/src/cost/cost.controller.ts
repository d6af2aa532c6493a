import { type CostRow, type CostView, type QueryOf, operations } from '@davit/contracts';
import { citingAtMost, costReport, dayOf, daysBefore } from '@davit/domain';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { badRequest } from '../operations/bad-request.js';
import { ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { mustExist } from '../queries/existing.js';
import { machinesIn } from './machines.js';

/** Days that one answer covers where nothing is said, today included. */
const USUAL_DAYS = 30;
const MAX_DAYS = 400;
const MAX_ROWS = 1_000;
/** Positions that one answer cites. */
const MAX_CITED_IN_ALL = 200_000;

/** What was spent, day by day, from what the log says of prices and machines at the time. */
@Controller()
export class CostController {
  /** `from` and `to` are days in UTC, both inclusive: the last 30 days where nothing is said. */
  @Serves(operations.getCost)
  async cost(@Asked() asking: Asking, @ReadQuery() query: QueryOf<typeof operations.getCost>): Promise<CostView> {
    const { by, deployment: key, tenant, cited } = query;
    const { model, log, position, nowMs } = await asking.view();
    const span = spanOf(query, nowMs);
    if (key !== undefined) await mustExist({ log, model }, key, '?deployment');
    const asked = await machinesIn(model, { deployment: key, tenant });
    const { rows, total, ...report } = costReport(asked, { ...span, by }, nowMs);
    const [all = total, ...shown] = cutCitations([total, ...rows.slice(0, MAX_ROWS)], cited);
    return { ...report, rows: shown, total: all, left: Math.max(0, rows.length - MAX_ROWS), position };
  }
}

/** As many positions as are asked for; fewer in the last rows of an answer that would be too long. */
function cutCitations(rows: readonly CostRow[], cited: number): CostRow[] {
  let left = MAX_CITED_IN_ALL;
  return rows.map((row) => {
    const cut = citingAtMost(row, Math.min(cited, Math.max(left, 1)));
    left -= cut.evidence.confirmed.positions.length + cut.evidence.held.positions.length;
    return cut;
  });
}

type Span = Pick<QueryOf<typeof operations.getCost>, 'from' | 'to'>;

function spanOf({ from: first, to: last }: Span, nowMs: number): { readonly from: string; readonly to: string } {
  const to = last ?? dayOf(nowMs);
  const from = first ?? daysBefore(to, USUAL_DAYS - 1);
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
