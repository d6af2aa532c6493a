import type { Clock, CommandRunner } from '@davit/ports';
import type { DiscoverResult, OnProviderCall, ProviderBackend, Subject } from '@davit/provider-kit';
import type { CloudWitness } from '../witness/witness.js';
import { SkyCli } from './cli.js';
import { ensure } from './ensure.js';
import { Explainer } from './explain.js';
import { FleetView, launchOf } from './fleet-view.js';
import { inventory } from './inventory.js';
import { cloudsOf, Machines } from './machines.js';
import { Observer } from './observe.js';
import { reap, remove } from './remove.js';
import type { SecretSource } from './secrets.js';
import type { SkySettings } from './settings.js';
import type { TaskFiles } from './task-files.js';

export interface SkyParts {
  readonly commands: CommandRunner;
  readonly clock: Clock;
  readonly settings: SkySettings;
  readonly secrets: SecretSource;
  readonly files: TaskFiles;
  /** Clouds that can be asked themselves. On others SkyPilot's own table is all there is. */
  readonly witnesses?: readonly CloudWitness[];
  /** Told of each run of `sky`. */
  readonly onCall?: OnProviderCall;
}

/** The backend `skypilot`: machines of many clouds, rented through the `sky` command. */
export function skyBackend(given: SkyParts): ProviderBackend {
  const { commands, clock, settings, secrets, files, witnesses = [] } = given;
  const cli = new SkyCli(commands, settings, given.onCall);
  const view = new FleetView(cli, clock);
  const machines = new Machines(witnesses);
  const explainer = new Explainer({ cli, clock, secrets, settings: settings.diagnosis });
  const observer = new Observer({ cli, view, machines, explainer, clock, settings });
  const parts = { cli, view, machines };
  return {
    adapter: 'skypilot',
    category: 'resource',
    // Labels reach AWS, GCP and Kubernetes only, so names are what tells ownership (SkyPilot's task reference).
    capabilities: { advice: false, spot: true, stop: false, regions: true, labels: false },
    identify: (externalKey) => ({ externalKey, name: `${externalKey}-${settings.userId}` }),
    discover: (name, subject) => discover(view, machines, name, subject),
    ensure: (order) => ensure({ ...parts, secrets, files, clock, settings }, order),
    observe: (name, hints) => observer.observe(name, hints),
    delete: (name, subject) => remove(parts, name, subject),
    inventory: (prefix, subject) => inventory(parts, prefix, subject),
    reap: (row) => reap(parts, row),
  };
}

/** A fresh look at the whole fleet, which any number of replicas share; a launch looks by name once more. */
async function discover(view: FleetView, machines: Machines, name: string, subject: Subject): Promise<DiscoverResult> {
  const found = await view.all(0);
  if (!found.ok) return { outcome: 'unknown', detail: found.detail };
  const launch = launchOf(found.value, name);
  if (launch === 'unclear') return { outcome: 'unknown', detail: 'a launch is under way that may be of this name' };
  if (launch) return { outcome: 'present', handle: launch.id, detail: `a launch is ${launch.status.toLowerCase()}` };
  const row = found.value.rows.get(name);
  if (row !== undefined)
    return {
      outcome: 'present',
      handle: null,
      detail: row === 'unreadable' ? 'a cluster row' : `cluster ${row.status}`,
    };
  const own = await machines.of(name, cloudsOf(subject), 0);
  if (!own.ok) return { outcome: 'unknown', detail: own.detail };
  const [machine] = own.value;
  return machine === undefined
    ? { outcome: 'absent', detail: 'no cluster, no launch under way, and no machine that a cloud shows' }
    : { outcome: 'present', handle: null, detail: `${machine.source} shows ${machine.detail}; SkyPilot has no record` };
}
