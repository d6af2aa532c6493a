import { type DeletionPlan, counted } from '@davit/contracts';
import { amountText, hourlyText } from './prices.js';
import { table } from './table.js';

type Row = DeletionPlan['replicas'][number];

/** What deleting a deployment would withdraw, drain and delete, and what bills until it is proven gone. */
export function deletionText({ deployment, routes, replicas, rollout, billing, notes }: DeletionPlan): string {
  const count = `${counted(replicas.length, 'replica')} to be proven gone`;
  return [
    `${deployment.replace(/^default\//, '')}  to be deleted, ${count}`,
    ...routes.map(({ alias, withdrawn, left }) => {
      const then = left === 0 ? 'nothing serves it then' : `${left} of other deployments stay`;
      return `  route   ${alias}: ${counted(withdrawn.length, 'target')} withdrawn, ${then}`;
    }),
    ...(rollout
      ? [`  rollout ${rollout.id} ends (${rollout.phase})${rollout.canary ? '; its canary is deleted' : ''}`]
      : []),
    ...(replicas.length === 0 ? [] : [table(['  REPLICA', 'STATE', 'BECOMES', 'AN HOUR'], replicas.map(cellsOf))]),
    `  bills   ${billsText(billing)}`,
    ...notes.map((note) => `  note    ${note}`),
  ].join('\n');
}

const cellsOf = (row: Row): readonly string[] => [
  `  ${row.id}`,
  row.state,
  becomes(row),
  row.price ? hourlyText(row.price, null) : row.billing ? 'unknown' : '–',
];

function becomes({ step, drainUntil, running, keepsRunning }: Row): string {
  const end = keepsRunning ? 'let go, keeps running' : 'deleted';
  if (step === 'delete') return end;
  if (step === 'leaving') return 'on its way out already';
  const requests = running === null ? 'an unknown number of requests' : counted(running, 'request');
  return `drained of ${requests} until ${drainUntil?.slice(11, 19) ?? 'its deadline'}, then ${end}`;
}

function billsText({ hourly, unpriced }: DeletionPlan['billing']): string {
  const known = hourly.map(({ amount, currency }) => `${amountText(amount)} ${currency} an hour`);
  const unknown = unpriced === 0 ? [] : [`${unpriced} at an unknown price`];
  const all = [...known, ...unknown];
  return all.length === 0 ? 'nothing' : `${all.join(' and ')}, until proven gone`;
}
