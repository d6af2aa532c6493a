import type { PlanCandidate, PlanView } from '@davit/contracts';
import type { ReactNode } from 'react';
import { moneyText } from '../../format/money.js';
import { machineAmount, placementText } from '../../format/placement.js';
import { relativeText } from '../../format/time.js';
import { Mark } from '../../parts/mark.js';
import { type Column, DataTable } from '../../parts/table.js';
import { STOCK_TONES } from '../capacity/stock.js';
import styles from './apply.module.css';

const CHANGES: Readonly<Record<PlanView['change'], string>> = {
  new: 'new deployment',
  'new-revision': 'new revision',
  scale: 'scale',
  settings: 'settings',
  none: 'nothing changes',
};

const CANDIDATES: readonly Column<PlanCandidate>[] = [
  { name: 'Placement', width: 'minmax(180px, 0.7fr)', cell: ({ placement }) => placementText(placement) },
  {
    name: 'Stock',
    width: '130px',
    cell: ({ signal }) => <Mark tone={STOCK_TONES[signal.state]}>{signal.state}</Mark>,
  },
  {
    name: 'Said',
    width: '110px',
    align: 'end',
    cell: ({ ageMs }) => (ageMs === null ? '–' : relativeText(0, ageMs)),
  },
  {
    name: 'Price/h',
    width: '130px',
    align: 'end',
    cell: ({ price, placement }) =>
      price.price === null ? (
        'unknown'
      ) : (
        <span title={price.detail}>
          {moneyText(machineAmount(price.price, placement), price.price.currency)}
          {price.status === 'stale' ? ' (stale)' : ''}
        </span>
      ),
  },
  { name: 'Verdict', width: '90px', cell: ({ verdict }) => verdict },
  { name: 'Because', width: 'minmax(240px, 1.4fr)', cell: ({ reason }) => <span title={reason}>{reason}</span> },
];

/** What applying a specification would do and cost, from what is known now. */
export function Plan({ plan }: { readonly plan: PlanView }) {
  const { spend, replicas } = plan;
  const amount = (value: string | null): string => (value === null ? 'unknown' : moneyText(value, spend.currency));
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Change', `${CHANGES[plan.change]}, revision ${plan.revision}`],
    ['Replicas', replicas.from === replicas.to ? replicas.to : `${replicas.from} → ${replicas.to}`],
    ['Spend as placed now', `${amount(spend.chosenHourly)}/h`],
    ['At worst', `${amount(spend.worstCaseHourly)}/h`],
    ...(spend.ceilingHourly === null ? [] : [['Ceiling', `${amount(spend.ceilingHourly)}/h`] as const]),
    ...(plan.rollout === null ? [] : [['Rollout', plan.rollout.outlook] as const]),
  ];
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {plan.rungs.length > 0 && (
        <DataTable label="Placements" rows={plan.rungs} columns={CANDIDATES} keyOf={keyOf} maxHeight="300px" />
      )}
      {plan.differences.length > 0 && (
        <ul className={styles.notes} aria-label="Differences">
          {plan.differences.map(({ path, from, to }) => (
            <li key={path}>
              <code>{path}</code>: {JSON.stringify(from)} → {JSON.stringify(to)}
            </li>
          ))}
        </ul>
      )}
      {plan.budgets.length > 0 && (
        <ul className={styles.notes} aria-label="Budgets">
          {plan.budgets.map(({ of, name, verdict, detail }) => (
            <li key={`${of} ${name}`}>
              {of} budget {name}: <strong>{verdict.replace('-', ' ')}</strong>. {detail}
            </li>
          ))}
        </ul>
      )}
      {plan.notes.length > 0 && (
        <ul className={styles.notes} aria-label="Notes">
          {plan.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  );
}

const keyOf = ({ rung }: PlanCandidate): string => String(rung);
