import type { DeploymentView, ReplicaView } from '@davit/contracts';
import { useMemo } from 'react';
import { groupBy } from '../../format/group.js';
import { PageLink } from '../../parts/link.js';
import { Mark } from '../../parts/mark.js';
import { type Column, DataTable } from '../../parts/table.js';
import { Lasting } from '../../parts/time.js';
import { StateBar } from '../../parts/state-bar.js';
import { toneOfDeployment } from '../../words/states.js';
import { type Spend, spendOf, spendText } from './spend.js';

interface Line extends DeploymentView {
  readonly key: string;
  readonly states: readonly string[];
  readonly spend: Spend;
}

const COLUMNS: readonly Column<Line>[] = [
  {
    name: 'Deployment',
    width: 'minmax(180px, 1fr)',
    order: (row) => row.key,
    cell: (row) => <PageLink to={`/deployments/${row.key}`}>{row.key}</PageLink>,
  },
  {
    name: 'Condition',
    width: '130px',
    order: (row) => toneOfDeployment(row).word,
    cell: (row) => {
      const { tone, word } = toneOfDeployment(row);
      return <Mark tone={tone}>{word}</Mark>;
    },
  },
  {
    name: 'Ready',
    width: '70px',
    align: 'end',
    order: (row) => row.readyReplicas,
    cell: (row) => `${row.readyReplicas} / ${row.desiredReplicas}`,
  },
  {
    name: 'Replicas',
    width: 'minmax(120px, 0.6fr)',
    cell: (row) => <StateBar states={row.states} />,
  },
  {
    name: 'Revision',
    width: '96px',
    align: 'end',
    order: (row) => row.revision,
    cell: (row) =>
      row.activeRevision === null || row.activeRevision === row.revision
        ? row.revision
        : `${row.activeRevision} → ${row.revision}`,
  },
  { name: 'Spend/h', width: '110px', align: 'end', cell: (row) => spendText(row.spend) },
  {
    name: 'For',
    width: '84px',
    align: 'end',
    cell: (row) => {
      const since = row.conditions
        .map((one) => one.since)
        .sort()
        .at(-1);
      return since === undefined ? '–' : <Lasting since={since} />;
    },
  },
  {
    name: 'Why',
    width: 'minmax(220px, 1.6fr)',
    cell: (row) => {
      const text = reasonOf(row);
      return <span title={text}>{text}</span>;
    },
  },
];

/** What speaks against it, or what it is doing; nothing for one that is as it should be. */
function reasonOf({ conditions }: DeploymentView): string {
  const telling = conditions.filter(({ condition, status }) =>
    condition === 'Progressing' ? status === 'true' : status !== 'true',
  );
  return telling.map(({ message, reason }) => (message === '' ? reason : message)).join('; ');
}

const keyOf = ({ key }: Line): string => key;

export function DeploymentsTable({
  deployments,
  replicas,
}: {
  readonly deployments: readonly DeploymentView[];
  readonly replicas: readonly ReplicaView[];
}) {
  const rows = useMemo(() => {
    const byDeployment = groupBy(replicas, ({ deployment }) => deployment);
    return deployments.map((row): Line => {
      const key = `${row.tenant}/${row.name}`;
      const own = byDeployment.get(key) ?? [];
      return { ...row, key, states: own.map(({ state }) => state), spend: spendOf(own) };
    });
  }, [deployments, replicas]);
  return <DataTable label="Deployments" rows={rows} columns={COLUMNS} keyOf={keyOf} maxHeight="420px" />;
}
