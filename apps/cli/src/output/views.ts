import type { DeploymentView, ReplicaView, RouteView } from '@davit/contracts';
import { replicaPrice } from './prices.js';
import { age, table } from './table.js';

const shortTenant = (tenant: string, name: string): string => (tenant === 'default' ? name : `${tenant}/${name}`);

export function placementText(placement: ReplicaView['placement']): string {
  if (placement === null) return '–';
  const { cloud, region, accelerator, spot } = placement;
  const card =
    accelerator === null
      ? null
      : accelerator.count === 1
        ? accelerator.name
        : `${accelerator.name}:${accelerator.count}`;
  return [cloud, region, card, spot ? 'spot' : null].filter((part) => part !== null).join(' ');
}

export function deploymentsTable(rows: readonly DeploymentView[], nowMs: number): string {
  return table(
    ['DEPLOYMENT', 'STATUS', 'REVISION', 'READY', 'CONDITION', 'SINCE', 'WHY'],
    rows.map((row) => {
      const condition = row.conditions.find((one) => one.condition === 'Progressing');
      const available = row.conditions.find((one) => one.condition === 'Available');
      return [
        shortTenant(row.tenant, row.name),
        row.status,
        row.activeRevision === null || row.activeRevision === row.revision
          ? String(row.revision)
          : `${row.activeRevision}→${row.revision}`,
        `${row.readyReplicas}/${row.desiredReplicas}`,
        condition?.reason ?? '–',
        condition ? age(condition.since, nowMs) : '–',
        (condition?.status === 'true' ? condition : available)?.message ?? '',
      ];
    }),
  );
}

/** What happens when the deadline of a wait passes; elsewhere it raises an alarm. */
const AT_THE_END: Readonly<Record<string, string>> = {
  capacity: 'next look',
  budget: 'next look',
  'launch-queued': 'gives up',
  'launch-unresolved': 'gives up',
  starting: 'gives up',
  draining: 'is ended',
};

/** Why a replica is as it is and, when it waits, until when; what else carries its name. */
export function whyText(row: ReplicaView, nowMs: number): string {
  const { why, wait, duplicates } = row;
  const deadline = wait?.deadline ?? null;
  return [
    why,
    ...(wait === null || deadline === null ? [] : [`${AT_THE_END[wait.reason] ?? 'alarm'} ${deadline.slice(11, 19)}`]),
    leftText(row, nowMs),
    ...(duplicates.length === 0 ? [] : [`${duplicates.length} more of this name: davit orphans`]),
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** How long a start is likely to take yet, by those before it; empty where nobody can tell. */
export function leftText({ expectedReadyAt }: ReplicaView, nowMs: number): string {
  if (expectedReadyAt === null) return '';
  const left = Date.parse(expectedReadyAt) - nowMs;
  return left > 0
    ? `about ${age(new Date(nowMs).toISOString(), nowMs + left)} left`
    : 'takes longer than starts before it';
}

/** The state, and how far a start has come where somebody told. */
const stateText = ({ state, phase }: ReplicaView): string =>
  phase === null || phase === state ? state : `${state} (${phase})`;

/** @param wide with the name that each has at its provider */
export function replicasTable(rows: readonly ReplicaView[], nowMs: number, wide = false): string {
  return table(
    ['REPLICA', ...(wide ? ['EXTERNAL KEY'] : []), 'STATE', 'SINCE', 'PLACEMENT', 'AN HOUR', 'WHY'],
    rows.map((row) => [
      row.tenant === 'default' ? row.id.slice(row.id.indexOf('/') + 1) : row.id,
      ...(wide ? [row.externalKey] : []),
      stateText(row),
      age(row.since, nowMs),
      placementText(row.placement),
      replicaPrice(row),
      whyText(row, nowMs),
    ]),
  );
}

export function routesTable(rows: readonly RouteView[]): string {
  return table(
    ['ROUTE', 'SNAPSHOT', 'REPLICA', 'URL'],
    rows.flatMap((row) =>
      row.targets.length === 0
        ? [[shortTenant(row.tenant, row.model), String(row.snapshot), '–', 'no target: an event emptied it']]
        : row.targets.map((target, index) => [
            index === 0 ? shortTenant(row.tenant, row.model) : '',
            index === 0 ? String(row.snapshot) : '',
            target.replica.slice(target.replica.indexOf('/') + 1),
            target.url,
          ]),
    ),
  );
}
