import type { AlarmView, BudgetView, DeploymentView, ReplicaView } from '@davit/contracts';
import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { moneyText } from '../../format/money.js';
import { type Rows } from '../../live/rows.js';
import { useCost } from '../../live/queries.js';
import { PageLink } from '../../parts/link.js';
import { Mark } from '../../parts/mark.js';
import { usePageTime } from '../../time/at.js';
import { spendOf, spendText } from './spend.js';
import styles from './fleet.module.css';

/** What a glance from across the room is for. */
export function Numbers({
  deployments,
  replicas,
  alarms,
  budgets,
}: {
  readonly deployments: UseQueryResult<Rows<DeploymentView>>;
  readonly replicas: UseQueryResult<Rows<ReplicaView>>;
  readonly alarms: UseQueryResult<Rows<AlarmView>>;
  readonly budgets: UseQueryResult<Rows<BudgetView>>;
}) {
  const spend = useMemo(() => replicas.data && spendOf(replicas.data.items), [replicas.data]);
  const waiting = replicas.data?.items.filter(({ wait, state }) => wait !== null || state === 'waiting').length;
  return (
    <dl className={styles.numbers}>
      <Number
        name="Ready replicas"
        value={deployments.data && sumOf(deployments.data.items, 'readyReplicas')}
        under={deployments.data && `of ${sumOf(deployments.data.items, 'desiredReplicas')} asked for`}
        failed={deployments.isLoadingError}
      />
      <Number
        name="Spend now"
        value={spend && `${spendText(spend)}/h`}
        under={spend && machinesText(spend.machines)}
        failed={replicas.isLoadingError}
      />
      <Today />
      <Number name="Budgets" {...budgetsTold(budgets.data?.items)} failed={budgets.isLoadingError} />
      <Number
        name="Waiting"
        value={waiting}
        under={waiting === undefined ? undefined : waiting === 0 ? 'nothing waits' : 'each says why, below'}
        failed={replicas.isLoadingError}
      />
      <Number name="Alarms" {...alarmsTold(alarms.data?.items)} failed={alarms.isLoadingError} />
    </dl>
  );
}

function Number({
  name,
  value,
  under,
  failed,
}: {
  readonly name: string;
  readonly value: ReactNode | undefined;
  readonly under: ReactNode | undefined;
  /** It was asked for, and could not be had. */
  readonly failed: boolean;
}) {
  return (
    <div className={styles.number}>
      <dt>{name}</dt>
      <dd className={styles.value}>{value ?? (failed ? '–' : <Skeleton height={18} width={70} my={5} />)}</dd>
      <dd className={styles.under}>{under ?? (failed ? 'not known' : <Skeleton height={9} width={100} my={4} />)}</dd>
    </div>
  );
}

/** What was spent since midnight UTC, as the log confirms it and at most. */
function Today() {
  const pageMs = usePageTime();
  const day = new Date(pageMs ?? Date.now()).toISOString().slice(0, 10);
  const { data, isLoadingError } = useCost({ from: day, to: day, by: 'day' });
  const figure = data?.total.figures[0];
  const none = data !== undefined && figure === undefined;
  return (
    <Number
      name="Today, UTC"
      value={figure ? moneyText(figure.held, figure.currency) : none ? moneyText('0', 'USD') : undefined}
      under={
        figure ? (
          <PageLink to="/cost">{moneyText(figure.confirmed, figure.currency)} confirmed</PageLink>
        ) : none ? (
          'nothing was rented'
        ) : undefined
      }
      failed={isLoadingError}
    />
  );
}

const machinesText = (machines: number): string => (machines === 1 ? '1 machine' : `${machines} machines`);

const sumOf = (rows: readonly DeploymentView[], field: 'readyReplicas' | 'desiredReplicas'): number =>
  rows.reduce((sum, row) => sum + row[field], 0);

function budgetsTold(budgets: readonly BudgetView[] | undefined): { value: ReactNode; under: ReactNode } {
  if (!budgets) return { value: undefined, under: undefined };
  if (budgets.length === 0) return { value: '–', under: 'none is set' };
  const over = budgets.filter(({ state }) => state === 'hourly-exceeded' || state === 'total-exhausted').length;
  const near = budgets.filter(({ state }) => state === 'near' || state === 'unknown').length;
  const value =
    over > 0 ? <Mark tone="bad">{over} over</Mark> : near > 0 ? <Mark tone="waiting">{near} near</Mark> : 'within';
  return { value, under: budgets.length === 1 ? '1 budget' : `${budgets.length} budgets` };
}

function alarmsTold(alarms: readonly AlarmView[] | undefined): { value: ReactNode; under: ReactNode } {
  if (!alarms) return { value: undefined, under: undefined };
  if (alarms.length === 0) return { value: 0, under: 'all quiet' };
  const critical = alarms.filter(({ severity }) => severity === 'critical').length;
  return { value: <Mark tone={critical > 0 ? 'bad' : 'waiting'}>{alarms.length}</Mark>, under: `${critical} critical` };
}
