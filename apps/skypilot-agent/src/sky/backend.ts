import type { Clock, CommandRunner } from '@davit/ports';
import {
  type DeleteResult,
  type DiscoverResult,
  type InventoryResult,
  type InventoryRow,
  type ProviderBackend,
  redact,
  type SeenPhase,
} from '@davit/provider-kit';
import { SkyCli, troubleOf } from './cli.js';
import { classify } from './errors.js';
import { ensure } from './ensure.js';
import { FleetView, launchOf } from './fleet-view.js';
import { Observer } from './observe.js';
import type { ClusterRow } from './output.js';
import type { SecretSource } from './secrets.js';
import type { SkySettings } from './settings.js';
import type { TaskFiles } from './task-files.js';

export interface SkyParts {
  readonly commands: CommandRunner;
  readonly clock: Clock;
  readonly settings: SkySettings;
  readonly secrets: SecretSource;
  readonly files: TaskFiles;
}

/** The backend `skypilot`: machines of many clouds, rented through the `sky` command. */
export function skyBackend({ commands, clock, settings, secrets, files }: SkyParts): ProviderBackend {
  const cli = new SkyCli(commands, settings);
  const view = new FleetView(cli, settings, clock);
  const observer = new Observer({ cli, view, secrets, settings });
  const { timeouts } = settings;
  return {
    adapter: 'skypilot',
    category: 'resource',
    // Labels reach AWS, GCP and Kubernetes only, so names are what tells ownership (SkyPilot's task reference).
    capabilities: { advice: false, spot: true, stop: false, regions: true, labels: false },
    identify: (externalKey) => ({ externalKey, name: `${externalKey}-${settings.userId}` }),
    discover: (name) => discover(view, name),
    ensure: (order) => ensure({ cli, view, secrets, files, timeoutMs: timeouts.launchMs }, order),
    observe: (name, hints) => observer.observe(name, hints),
    delete: (name) => remove(cli, view, name, timeouts.downMs),
    inventory: (prefix) => inventory(view, prefix),
  };
}

/** A fresh look at the whole fleet, which any number of replicas share; a launch looks by name once more. */
async function discover(view: FleetView, name: string): Promise<DiscoverResult> {
  const found = await view.all(0);
  if (!found.ok) return { outcome: 'unknown', detail: found.detail };
  const launch = launchOf(found.value, name);
  if (launch === 'unclear') return { outcome: 'unknown', detail: 'a launch is under way that may be of this name' };
  if (launch) return { outcome: 'present', handle: launch.id, detail: `a launch is ${launch.status.toLowerCase()}` };
  const row = found.value.rows.get(name);
  if (row === undefined) return { outcome: 'absent', detail: 'no cluster and no launch under way' };
  return { outcome: 'present', handle: null, detail: row === 'unreadable' ? 'a cluster row' : `cluster ${row.status}` };
}

/** Cancels what is still being launched, then terminates. Neither exit code nor text proves anything (skypilot #2775). */
async function remove(cli: SkyCli, view: FleetView, name: string, timeoutMs: number): Promise<DeleteResult> {
  const found = await view.byName(name);
  const launch = found.ok ? launchOf(found.value, name) : undefined;
  let cancelled = '';
  if (launch !== undefined && launch !== 'unclear') {
    const reply = await cli.run({ args: ['api', 'cancel', launch.id, '-y'], timeoutMs });
    cancelled = reply.kind === 'ok' ? 'launch cancelled, ' : `launch not cancelled (${troubleOf(reply)}), `;
  }
  const reply = await cli.run({ args: ['down', '-y', name], timeoutMs });
  if (reply.kind === 'lost') return { outcome: 'unknown', detail: `${cancelled}${reply.detail}` };
  if (reply.kind === 'failed') {
    const { class: errorClass, definite, detail } = reply.verdict;
    if (errorClass === 'not-found') return { outcome: 'accepted', detail: `${cancelled}nothing of this name` };
    return definite
      ? { outcome: 'refused', class: errorClass, detail: `${cancelled}${detail}` }
      : { outcome: 'unknown', detail: `${cancelled}${detail}` };
  }
  const complaint = /^.*(?:\.\.\.failed\b|Cluster\(s\) failed).*$/im.exec(reply.stdout)?.[0];
  if (complaint === undefined) {
    const nothing = reply.stdout.includes('Cluster(s) not found');
    return { outcome: 'accepted', detail: `${cancelled}${nothing ? 'nothing of this name' : 'termination asked for'}` };
  }
  // The reason stands on the same line or on the next.
  const reason = /Reason: (.*)/.exec(reply.stdout)?.[1] ?? complaint;
  const { class: errorClass } = classify(`RuntimeError: ${reason}`, 1);
  return { outcome: 'refused', class: errorClass, detail: `${cancelled}termination failed: ${redact(reason)}` };
}

/** Clusters and launches under way whose name begins with `prefix`; SkyPilot's own controllers are nobody's replicas. */
async function inventory(view: FleetView, prefix: string): Promise<InventoryResult> {
  const fleet = await view.all(0);
  if (!fleet.ok) return { outcome: 'unknown', detail: fleet.detail };
  const rows = new Map<string, InventoryRow>();
  for (const { cluster, status } of fleet.value.launches) {
    if (cluster === null) return { outcome: 'unknown', detail: `a launch (${status}) does not say what it launches` };
    if (cluster.startsWith(prefix))
      rows.set(cluster, rowOf(cluster, { phase: 'provisioning', providerId: null }, `launch ${status}`));
  }
  for (const [name, row] of fleet.value.rows) {
    if (!name.startsWith(prefix) || (row !== 'unreadable' && row.managed)) continue;
    rows.set(
      name,
      rowOf(name, row === 'unreadable' ? UNREAD : seen(row), row === 'unreadable' ? 'unreadable' : row.status),
    );
  }
  return { outcome: 'listed', rows: [...rows.values()], sources: [SOURCE] };
}

const SOURCE = 'sky status';

const rowOf = (
  externalKey: string,
  what: Pick<InventoryRow, 'phase' | 'providerId'>,
  detail: string,
): InventoryRow => ({ externalKey, ...what, source: SOURCE, price: null, detail });

const UNREAD = { phase: 'provisioning', providerId: null } as const;

const PHASES: Readonly<Record<string, SeenPhase>> = { UP: 'up', AUTOSTOPPING: 'up', STOPPED: 'stopped' };

const seen = ({ status, hash }: ClusterRow): { readonly phase: SeenPhase; readonly providerId: string | null } => ({
  phase: PHASES[status] ?? 'provisioning',
  providerId: hash,
});
