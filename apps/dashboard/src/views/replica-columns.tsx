import type { ReplicaView } from '@davit/contracts';
import { moneyText } from '../format/money.js';
import { machineAmount, placementText } from '../format/placement.js';
import { ExplainLink, PageLink } from '../parts/link.js';
import { Mark } from '../parts/mark.js';
import type { Column } from '../parts/table.js';
import { Lasting } from '../parts/time.js';
import { REPLICA_STATES, toneOfReplica } from '../words/states.js';

const none = <span aria-label="none">–</span>;

const priceOf = ({ price, placement }: ReplicaView): string | null =>
  price === null ? null : moneyText(machineAmount(price, placement), price.currency);

/** `default/qwen3-8b-1-0-1` → `qwen3-8b-1-0-1`: the tenant stands in the deployment's name where it matters. */
export const shortId = (id: string): string => id.slice(id.indexOf('/') + 1);

const id: Column<ReplicaView> = {
  name: 'Replica',
  width: 'minmax(200px, 1.2fr)',
  order: (row) => row.id,
  cell: (row) => <ExplainLink about={`replicas/${row.id}`}>{shortId(row.id)}</ExplainLink>,
};
const deployment: Column<ReplicaView> = {
  name: 'Deployment',
  width: 'minmax(140px, 0.8fr)',
  order: (row) => row.deployment,
  cell: (row) => <PageLink to={`/deployments/${row.deployment}`}>{row.deployment}</PageLink>,
};
const rest: readonly Column<ReplicaView>[] = [
  {
    name: 'State',
    width: '124px',
    order: (row) => REPLICA_STATES.indexOf(row.state),
    cell: (row) => <Mark tone={toneOfReplica(row.state)}>{row.state}</Mark>,
  },
  {
    name: 'For',
    width: '84px',
    align: 'end',
    order: (row) => -Date.parse(row.since),
    cell: (row) => <Lasting since={row.since} />,
  },
  {
    name: 'Placement',
    width: 'minmax(150px, 0.8fr)',
    order: (row) => (row.placement === null ? '' : placementText(row.placement)),
    cell: (row) => (row.placement === null ? none : placementText(row.placement)),
  },
  {
    name: 'Price/h',
    width: '80px',
    align: 'end',
    order: (row) => (priceOf(row) ?? '').padStart(16),
    cell: (row) => priceOf(row) ?? none,
  },
  {
    name: 'Why',
    width: 'minmax(220px, 2fr)',
    cell: (row) => <span title={row.why}>{row.why}</span>,
  },
];

export const REPLICA_COLUMNS: readonly Column<ReplicaView>[] = [id, deployment, ...rest];
export const REPLICA_COLUMNS_OF_ONE: readonly Column<ReplicaView>[] = [id, ...rest];
