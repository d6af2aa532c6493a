import type { ReactNode } from 'react';
import type { DeploymentDetail } from '../../live/queries.js';
import { useBudgets } from '../../live/queries.js';
import { ExplainLink } from '../../parts/link.js';
import { moneyText } from '../../format/money.js';
import { placementText } from '../../format/placement.js';
import { spendOf, spendText } from '../fleet/spend.js';
import { Panel } from '../../parts/panel.js';
import styles from './deployment.module.css';

/** What it is, and what it takes. */
export function Facts({ deployment }: { readonly deployment: DeploymentDetail }) {
  const { spec, tenant, name, readyReplicas, desiredReplicas, revision, activeRevision, replicas } = deployment;
  const { model, runtime, compute } = spec.spec;
  const key = `${tenant}/${name}`;
  const budget = useBudgets().data?.items.find((one) => one.of === 'deployment' && one.name === key);
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Ready', `${readyReplicas} of ${desiredReplicas}`],
    ['Revision', activeRevision === revision ? revision : `${revision}, active is ${activeRevision ?? 'none'}`],
    ['Spend now', <ExplainLink key="spend" about={`costs/${key}`}>{`${spendText(spendOf(replicas))}/h`}</ExplainLink>],
    [
      'Budget',
      budget === undefined
        ? 'none'
        : [
            budget.limits.maxHourly === undefined
              ? null
              : `${moneyText(budget.limits.maxHourly, budget.limits.currency)}/h`,
            budget.limits.maxTotal === undefined
              ? null
              : `${moneyText(budget.limits.maxTotal, budget.limits.currency)} in all`,
            budget.state,
          ]
            .filter((part) => part !== null)
            .join(' · '),
    ],
    ['Model', model.revision === null ? model.id : `${model.id} @ ${model.revision.slice(0, 10)}`],
    ['Served as', model.servedName],
    ['Runtime', runtime.version === null ? runtime.engine : `${runtime.engine} ${runtime.version}`],
    [
      'Compute',
      compute.mode === 'elastic'
        ? `elastic, ${compute.placements.map(placementText).join(' → ')}`
        : compute.mode === 'serverless'
          ? `serverless, at most ${compute.workers.max} workers`
          : `direct, ${compute.endpoints.length} endpoints`,
    ],
  ];
  return (
    <Panel title="What it is" aside={<ExplainLink about={`deployments/${key}`}>Why is it so?</ExplainLink>}>
      <dl className={styles.facts}>
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
