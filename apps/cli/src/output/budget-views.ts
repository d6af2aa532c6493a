import type { BudgetView } from '@davit/contracts';
import { age, table } from './table.js';

export function budgetsTable(rows: readonly BudgetView[], nowMs: number): string {
  return table(
    ['BUDGET', 'STATE', 'HELD/H', 'LEFT/H', 'HELD', 'CONFIRMED', 'LEFT', 'USED UP', 'ON EXCEED', 'WHY'],
    rows.map((row) => [
      `${row.of} ${row.name}`,
      row.state,
      row.heldHourly,
      row.hourlyLeft ?? '–',
      row.heldTotal,
      row.confirmedTotal,
      row.totalLeft ?? '–',
      row.exhaustedAt === null ? '–' : inTime(row.exhaustedAt, nowMs),
      row.limits.onExceed,
      [row.why, ...(row.heldBack.length > 0 ? [`waits for room: ${row.heldBack.join(', ')}`] : [])].join('; '),
    ]),
  );
}

const inTime = (instant: string, nowMs: number): string =>
  Date.parse(instant) <= nowMs ? 'now' : `in ${age(new Date(nowMs).toISOString(), Date.parse(instant))}`;
