import type { RouteView } from '@davit/contracts';
import { Stack } from '@mantine/core';
import { ExplainLink } from '../../parts/link.js';
import { Mark } from '../../parts/mark.js';
import { Empty } from '../../parts/panel.js';
import { type Column, DataTable } from '../../parts/table.js';
import { shortId } from '../replica-columns.js';

interface Target {
  readonly route: RouteView;
  readonly replica: string;
  readonly url: string;
  readonly model: string;
  readonly weight: number | null;
  readonly draining: boolean;
}

const COLUMNS: readonly Column<Target>[] = [
  {
    name: 'Alias',
    width: 'minmax(160px, 1fr)',
    order: ({ route }) => route.alias,
    cell: ({ route }) => <ExplainLink about={storyOf(route.alias)}>{route.alias}</ExplainLink>,
  },
  {
    name: 'Snapshot',
    width: '80px',
    align: 'end',
    order: ({ route }) => route.snapshot,
    cell: ({ route }) => route.snapshot,
  },
  {
    name: 'Target',
    width: 'minmax(180px, 1fr)',
    order: ({ replica }) => replica,
    cell: ({ replica }) =>
      replica === '' ? '–' : <ExplainLink about={`replicas/${replica}`}>{shortId(replica)}</ExplainLink>,
  },
  {
    name: 'Traffic',
    width: '130px',
    cell: ({ replica, draining }) =>
      replica === '' ? (
        <Mark tone="gone">no target</Mark>
      ) : (
        <Mark tone={draining ? 'ending' : 'good'}>{draining ? 'draining' : 'takes requests'}</Mark>
      ),
  },
  { name: 'Weight', width: '70px', align: 'end', cell: ({ weight }) => weight ?? '–' },
  { name: 'Address', width: 'minmax(200px, 1.2fr)', cell: ({ url }) => <code>{url}</code> },
  { name: 'Model', width: 'minmax(140px, 0.8fr)', cell: ({ model }) => model },
];

/** A name of a model may have strokes in it, and is one part of a path all the same. */
function storyOf(alias: string): string {
  const [tenant = '', ...name] = alias.split('/');
  return `routes/${tenant}/${encodeURIComponent(name.join('/'))}`;
}

const keyOf = ({ route, replica, draining }: Target): string => `${route.alias} ${replica} ${draining}`;

/** Where requests go, alias by alias. */
export function RoutesTable({
  routes,
  maxHeight,
}: {
  readonly routes: readonly RouteView[];
  readonly maxHeight?: string;
}) {
  if (routes.length === 0)
    return <Empty title="No route is published">A route follows proof that its replica serves the right model.</Empty>;
  const rows = routes.flatMap(targetsOf);
  return (
    <Stack gap={0}>
      <DataTable
        label="Routes"
        rows={rows}
        columns={COLUMNS}
        keyOf={keyOf}
        {...(maxHeight === undefined ? {} : { maxHeight })}
      />
    </Stack>
  );
}

function targetsOf(route: RouteView): readonly Target[] {
  const { model } = route;
  const rows = [
    ...route.targets.map(({ replica, url, weight }) => ({
      ...{ route, replica, url, model, weight: weight ?? null, draining: false },
    })),
    ...route.draining.map(({ replica, url }) => ({
      ...{ route, replica, url, model, weight: null, draining: true },
    })),
  ];
  return rows.length > 0 ? rows : [{ route, replica: '', url: '–', model, weight: null, draining: false }];
}
