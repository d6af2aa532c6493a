import type { CostRow, CostView } from '@davit/contracts';
import { BarChart } from '@mantine/charts';
import { Group, Stack, Text } from '@mantine/core';
import type { Query } from '../api/http.js';
import { chartValue } from '../format/chart-value.js';
import { moneyText } from '../format/money.js';
import { durationText } from '../format/time.js';
import { useCost } from '../live/queries.js';
import { ExplainLink, PageLink } from '../parts/link.js';
import { Mark } from '../parts/mark.js';
import { Answered, Empty, Panel } from '../parts/panel.js';
import { type Column, DataTable } from '../parts/table.js';
import styles from './deployment/deployment.module.css';

/** What was spent, day by day and in the parts that are asked for. */
export function CostReport({ query, by }: { readonly query: Query; readonly by: 'replica' | 'deployment' }) {
  const days = useCost({ ...query, by: 'day' });
  const parts = useCost({ ...query, by });
  return (
    <Stack gap="md">
      <Panel title="Day by day, UTC" aside={days.data && <Total view={days.data} />}>
        <Answered answer={days} lines={6}>
          {(view) => (view.rows.length === 0 ? <Empty title="Nothing was spent" /> : <Days view={view} />)}
        </Answered>
      </Panel>
      <Panel title={by === 'replica' ? 'By replica' : 'By deployment'}>
        <Answered answer={parts} lines={6}>
          {({ rows, left }) =>
            rows.length === 0 ? (
              <Empty title="Nothing was spent" />
            ) : (
              <>
                <DataTable
                  label="Cost"
                  rows={rows}
                  columns={by === 'replica' ? BY_REPLICA : BY_DEPLOYMENT}
                  keyOf={keyOf}
                />
                {left > 0 && (
                  <Text size="xs" c="dimmed" p="sm">
                    Rows that are not shown but in the total: {left}.
                  </Text>
                )}
              </>
            )
          }
        </Answered>
      </Panel>
    </Stack>
  );
}

function Total({ view: { total, from, to } }: { readonly view: CostView }) {
  return (
    <Text size="sm">
      {from} to {to}: <strong>{figuresText(total, 'held')}</strong>, {figuresText(total, 'confirmed')} confirmed
    </Text>
  );
}

function Days({ view: { rows } }: { readonly view: CostView }) {
  const currency = rows[0]?.figures[0]?.currency ?? 'USD';
  const data = rows.map((row) => {
    const figure = row.figures.find((one) => one.currency === currency);
    const confirmed = chartValue(figure?.confirmed ?? '0');
    return { day: row.day ?? '', confirmed, further: Math.max(0, chartValue(figure?.held ?? '0') - confirmed) };
  });
  return (
    <figure
      className={styles.chart}
      style={{ margin: 0 }}
      role="img"
      aria-label={`Spend by day: ${rows.map((row) => `${row.day ?? ''} ${figuresText(row, 'held')}`).join(', ')}`}
    >
      <BarChart
        h={220}
        data={data}
        dataKey="day"
        type="stacked"
        maxBarWidth={48}
        withLegend
        legendProps={{ height: 30 }}
        valueFormatter={(value) => moneyText(value.toFixed(4), currency)}
        series={[
          { name: 'confirmed', label: 'confirmed by the provider', color: 'var(--tone-progress)' },
          { name: 'further', label: 'held beyond that', color: 'var(--tone-waiting)' },
        ]}
      />
    </figure>
  );
}

const keyOf = ({ replica, deployment, day, tenant }: CostRow): string =>
  `${tenant ?? ''} ${deployment ?? ''} ${replica ?? ''} ${day ?? ''}`;

const figuresText = ({ figures }: CostRow, part: 'held' | 'confirmed'): string =>
  figures.length === 0 ? moneyText('0', 'USD') : figures.map((one) => moneyText(one[part], one.currency)).join(' + ');

const FIGURES: readonly Column<CostRow>[] = [
  { name: 'Held', width: '100px', align: 'end', order: heldOrder, cell: (row) => figuresText(row, 'held') },
  { name: 'Confirmed', width: '100px', align: 'end', cell: (row) => figuresText(row, 'confirmed') },
  {
    name: 'Price',
    width: 'minmax(120px, 0.6fr)',
    cell: ({ figures }) =>
      [...new Set(figures.flatMap(({ byKind }) => byKind.map(({ kind }) => kind)))].join(', ') || '–',
  },
  {
    name: 'Without a price',
    width: '120px',
    align: 'end',
    cell: ({ unpriced }) => (unpriced.heldMs === 0 ? '–' : durationText(unpriced.heldMs)),
  },
  {
    name: 'Machines',
    width: '80px',
    align: 'end',
    order: ({ machines }) => machines,
    cell: ({ machines }) => machines,
  },
  {
    name: 'Now',
    width: '110px',
    cell: ({ billing }) =>
      billing > 0 ? (
        <Mark tone="progress">{billing === 1 ? 'bills' : `${billing} bill`}</Mark>
      ) : (
        <Mark tone="gone">none bills</Mark>
      ),
  },
];

function heldOrder({ figures }: CostRow): string {
  const [whole = '0', decimals = ''] = (figures[0]?.held ?? '0').split('.');
  return `${whole.padStart(12, '0')}.${decimals}`;
}

const BY_REPLICA: readonly Column<CostRow>[] = [
  {
    name: 'Replica',
    width: 'minmax(200px, 1fr)',
    order: ({ replica }) => replica ?? '',
    cell: ({ replica }) => (
      <Group gap={6}>
        {replica === null ? (
          '–'
        ) : replica.includes(':') ? (
          replica
        ) : (
          <ExplainLink about={`replicas/${replica}`}>{replica}</ExplainLink>
        )}
      </Group>
    ),
  },
  ...FIGURES,
];

const BY_DEPLOYMENT: readonly Column<CostRow>[] = [
  {
    name: 'Deployment',
    width: 'minmax(200px, 1fr)',
    order: ({ deployment }) => deployment ?? '',
    cell: ({ deployment }) =>
      deployment === null ? 'orphans' : <PageLink to={`/deployments/${deployment}?tab=cost`}>{deployment}</PageLink>,
  },
  {
    name: 'Why',
    width: '70px',
    cell: ({ deployment }) =>
      deployment === null ? '–' : <ExplainLink about={`costs/${deployment}`}>explain</ExplainLink>,
  },
  ...FIGURES,
];
