import type { DeletionPlan } from '@davit/contracts';
import { Text } from '@mantine/core';
import { Mark } from '../../parts/mark.js';
import { type Column, DataTable } from '../../parts/table.js';
import { toneOfReplica } from '../../words/states.js';
import { shortId } from '../replica-columns.js';
import { billsText, fateText, priceText, withdrawalText } from './deletion.js';
import styles from './deployment.module.css';

type Going = DeletionPlan['replicas'][number];

const COLUMNS: readonly Column<Going>[] = [
  { name: 'Replica', width: 'minmax(140px, 0.6fr)', cell: ({ id }) => <span title={id}>{shortId(id)}</span> },
  { name: 'State', width: '108px', cell: ({ state }) => <Mark tone={toneOfReplica(state)}>{state}</Mark> },
  { name: 'Becomes', width: 'minmax(330px, 1.4fr)', cell: (row) => <span title={fateText(row)}>{fateText(row)}</span> },
  { name: 'Price/h', width: '92px', align: 'end', cell: priceText },
];

const keyOf = ({ id }: Going): string => id;

/** What a deletion would withdraw, drain and delete, and what bills until it is proven gone. */
export function DeletionTold({ plan }: { readonly plan: DeletionPlan }) {
  const { routes, replicas, rollout, billing, notes, position } = plan;
  return (
    <div className={styles.deletion}>
      <Text size="sm">This is what would happen. Nothing has been changed yet.</Text>
      <dl className={styles.going}>
        <dt>Routes</dt>
        <dd>
          {routes.length === 0 ? (
            'none to withdraw'
          ) : (
            <ul>
              {routes.map((route) => (
                <li key={route.alias}>
                  <code>{route.alias}</code>: {withdrawalText(route)}
                </li>
              ))}
            </ul>
          )}
        </dd>
        {rollout && (
          <>
            <dt>Rollout</dt>
            <dd>
              {rollout.id} ends in the phase “{rollout.phase.replaceAll('-', ' ')}”
              {rollout.canary !== null && '; its canary is deleted'}
            </dd>
          </>
        )}
        <dt>Replicas</dt>
        <dd>{replicas.length === 0 ? 'none to delete' : `${replicas.length} to be proven gone`}</dd>
        <dt>Still bills</dt>
        <dd>{billsText(billing)}, until proven gone</dd>
      </dl>
      {replicas.length > 0 && (
        <DataTable label="Replicas that go" rows={replicas} columns={COLUMNS} keyOf={keyOf} maxHeight="220px" />
      )}
      <ul className={styles.remarks} aria-label="Notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
        <li>Planned at position {position}. It is refused if somebody else orders something of it after that.</li>
      </ul>
    </div>
  );
}
