import type { BudgetView } from '@davit/contracts';
import { age, table } from './table.js';
import { proseWidth, wrap } from './wrap.js';

export function budgetsTable(rows: readonly BudgetView[], nowMs: number): string {
  const [titles = '', ...lines] = table(
    ['BUDGET', 'STATE', 'HELD/H', 'LEFT/H', 'HELD', 'CONFIRMED', 'LEFT', 'USED UP'],
    rows.map((row) => [
      row.of === 'tenant' ? `tenant ${row.name}` : row.name.replace(/^default\//, ''),
      row.state,
      row.heldHourly,
      row.hourlyLeft ?? '–',
      row.heldTotal,
      row.confirmedTotal,
      row.totalLeft ?? '–',
      row.exhaustedAt === null ? '–' : inTime(row.exhaustedAt, nowMs),
    ]),
  ).split('\n');
  return [titles, ...lines.flatMap((line, index) => [line, ...whyLines(rows[index])])].join('\n');
}

/** What is held against which limits, what happens above them and what waits for room: below the budget. */
function whyLines(row: BudgetView | undefined): string[] {
  if (!row) return [];
  const waits = row.heldBack.length === 0 ? [] : [`waits for room: ${row.heldBack.join(', ')}`];
  return wrap([row.why, `above it: ${row.limits.onExceed}`, ...waits].join('; '), proseWidth() - 4, 2).map(
    (text) => `    ${text}`,
  );
}

const inTime = (instant: string, nowMs: number): string =>
  Date.parse(instant) <= nowMs ? 'now' : `in ${age(new Date(nowMs).toISOString(), Date.parse(instant))}`;
