import type { InventoryResult, InventoryRow, SeenPhase, Subject } from '@davit/provider-kit';
import type { Fleet, FleetView } from './fleet-view.js';
import { cloudsOf, type Machines, type OwnMachine, rowOfMachine } from './machines.js';
import type { ClusterRow, Parsed } from './output.js';

export const SKY_SOURCE = 'sky status';

/**
 * Clusters, launches under way, and machines that the clouds themselves show, whose name begins with `prefix`. SkyPilot's
 * own controllers are nobody's replicas. A cloud that cannot be read makes it unknown, unless the subject cannot be there.
 */
export async function inventory(
  { view, machines }: { readonly view: FleetView; readonly machines: Machines },
  prefix: string,
  subject: Subject | undefined,
): Promise<InventoryResult> {
  const clouds = subject === undefined ? 'every' : cloudsOf(subject);
  // SkyPilot first: what it forgets in between is still shown by the cloud.
  const fleet = await view.all(0);
  if (!fleet.ok) return { outcome: 'unknown', detail: fleet.detail };
  const seen = await machines.all(prefix, clouds, 0);
  if (!seen.ok) return { outcome: 'unknown', detail: seen.detail };
  const recorded = rowsOf(fleet.value, prefix);
  if (!recorded.ok) return { outcome: 'unknown', detail: recorded.detail };
  const groups = byKey(seen.value);
  const rows: InventoryRow[] = [];
  for (const [key, row] of recorded.value) rows.push(...besideRecord(machines, row, groups.get(key) ?? []));
  for (const [key, own] of groups) if (!recorded.value.has(key)) rows.push(...own.map(rowOfMachine));
  return { outcome: 'listed', rows, sources: [SKY_SOURCE, ...machines.sources(clouds)] };
}

/** The record with the machine that it is of, and beside it the others of its name. */
function besideRecord(machines: Machines, row: InventoryRow, own: readonly OwnMachine[]): readonly InventoryRow[] {
  if (own.length === 0) return [row];
  const recorded = machines.recorded(row.externalKey, own);
  // Two of one name, and nothing tells which one serves: none of them is shown as the one too many.
  if (recorded === undefined) return [{ ...row, behind: own.map(rowOfMachine) }];
  const others = own.filter((machine) => machine !== recorded);
  return [{ ...row, behind: [rowOfMachine(recorded)] }, ...others.map(rowOfMachine)];
}

function byKey(machines: readonly OwnMachine[]): ReadonlyMap<string, readonly OwnMachine[]> {
  const groups = new Map<string, OwnMachine[]>();
  for (const machine of machines) {
    const group = groups.get(machine.externalKey);
    if (group) group.push(machine);
    else groups.set(machine.externalKey, [machine]);
  }
  return groups;
}

function rowsOf(fleet: Fleet, prefix: string): Parsed<Map<string, InventoryRow>> {
  const rows = new Map<string, InventoryRow>();
  for (const { cluster, status } of fleet.launches) {
    if (cluster === null) return { ok: false, detail: `a launch (${status}) does not say what it launches` };
    if (cluster.startsWith(prefix)) rows.set(cluster, rowOf(cluster, UNREAD, `launch ${status}`));
  }
  for (const [name, row] of fleet.rows) {
    if (!name.startsWith(prefix) || (row !== 'unreadable' && row.managed)) continue;
    rows.set(name, row === 'unreadable' ? rowOf(name, UNREAD, 'unreadable') : rowOf(name, shown(row), row.status));
  }
  return { ok: true, value: rows };
}

type Shown = Pick<InventoryRow, 'phase' | 'providerId'>;

const rowOf = (externalKey: string, what: Shown, detail: string): InventoryRow => ({
  externalKey,
  ...what,
  source: SKY_SOURCE,
  price: null,
  detail,
});

const UNREAD: Shown = { phase: 'provisioning', providerId: null };

const PHASES: Readonly<Record<string, SeenPhase>> = { UP: 'up', AUTOSTOPPING: 'up', STOPPED: 'stopped' };

const shown = ({ status, hash }: ClusterRow): Shown => ({ phase: PHASES[status] ?? 'provisioning', providerId: hash });
