import { type AlarmView, type FleetView, type OrphanView, serves } from '@davit/contracts';
import { hourlyText } from './prices.js';
import { age, table } from './table.js';

export function orphansTable(rows: readonly OrphanView[], nowMs: number): string {
  return table(
    ['ORPHAN', 'STATE', 'FOUND', 'ALONE FOR', 'POLICY', 'AN HOUR', 'WHY'],
    rows.map((row) => [
      row.key,
      row.state === 'quarantined' && row.approvedAt !== null ? 'approved' : row.state,
      `${age(row.since, nowMs)} ago`,
      row.state === 'quarantined' ? left(row.quarantinedUntil, nowMs) : '–',
      row.policy,
      row.price ? hourlyText(row.price, null) : 'unknown',
      row.replica === null ? row.why : `${row.why}; rented for ${row.replica}`,
    ]),
  );
}

/** How long an instant that lies ahead is away. */
const left = (until: string, nowMs: number): string => {
  const untilMs = Date.parse(until);
  return untilMs <= nowMs ? 'over' : age(new Date(nowMs).toISOString(), untilMs);
};

export function alarmsTable(rows: readonly AlarmView[], nowMs: number): string {
  return table(
    ['ALARM', 'SEVERITY', 'SINCE', 'ABOUT', 'WHY'],
    rows.map((row) => [row.alarm, row.severity, age(row.since, nowMs), row.about, row.detail]),
  );
}

export function fleetText({ serving, losses, frozen, thawOrdered }: FleetView, nowMs: number): string {
  const lost = losses.map(({ replica, at }) => `  lost ${age(at, nowMs)} ago: ${replica}`);
  const serve = serves(serving);
  if (!frozen) return [`${serve}; not frozen`, ...lost].join('\n');
  return [
    `FROZEN for ${age(frozen.since, nowMs)}: ${frozen.detail}`,
    `${serve}. Nothing more is given up because of what was observed.`,
    ...lost,
    thawOrdered === null
      ? 'If the deaths are real: davit fleet thaw --reason "…". If not, it thaws by itself once the replicas answer again.'
      : `thaw ordered ${age(thawOrdered.at, nowMs)} ago: ${thawOrdered.reason}`,
  ].join('\n');
}
