import { type DeleteResult, type InventoryRow, redact, type Subject } from '@davit/provider-kit';
import { type SkyCli, troubleOf } from './cli.js';
import { classify } from './errors.js';
import { type Fleet, type FleetView, launchOf } from './fleet-view.js';
import { SKY_SOURCE } from './inventory.js';
import { cloudsOf, type Machines } from './machines.js';
import type { Parsed } from './output.js';

export interface RemoveParts {
  readonly cli: SkyCli;
  readonly view: FleetView;
  readonly machines: Machines;
}

/**
 * Cancels what is still being launched, then terminates; machines that SkyPilot has forgotten are ended at their cloud, each
 * by its own identity.
 */
export async function remove(parts: RemoveParts, name: string, subject: Subject): Promise<DeleteResult> {
  const found = await parts.view.byName(name);
  const forgotten = found.ok && isForgotten(found.value, name);
  const own = forgotten ? await parts.machines.of(name, cloudsOf(subject), 0) : undefined;
  if (own?.ok !== true || own.value.length === 0) return bySky(parts, name, found);
  return together(await Promise.all(own.value.map(({ providerId }) => terminate(parts.machines, providerId))));
}

const isForgotten = (fleet: Fleet, name: string): boolean =>
  !fleet.rows.has(name) && launchOf(fleet, name) === undefined;

/** Ends what one row of the inventory shows: a machine by its own identity, a record by name. */
export async function reap(parts: RemoveParts, row: InventoryRow): Promise<DeleteResult> {
  const { externalKey, providerId } = row;
  // By name its owner's might go as well, even where the cloud shows nothing else at the moment.
  if (row.source !== SKY_SOURCE)
    return providerId === null ? nothing(externalKey) : terminate(parts.machines, providerId);
  const found = await parts.view.byName(externalKey);
  if (!found.ok) return { outcome: 'unknown', detail: found.detail };
  const own = await parts.machines.of(externalKey, 'every', 0);
  if (!own.ok) return { outcome: 'unknown', detail: own.detail };
  const record = found.value.rows.get(externalKey);
  if (typeof record === 'object' && record.hash !== providerId) return nothing(externalKey);
  const recorded = parts.machines.recorded(externalKey, own.value);
  return own.value.length > 1 && recorded !== undefined
    ? terminate(parts.machines, recorded.providerId)
    : bySky(parts, externalKey, found);
}

const nothing = (name: string): DeleteResult => ({ outcome: 'accepted', detail: `this ${name} is not there any more` });

const terminate = async (machines: Machines, providerId: string): Promise<DeleteResult> =>
  (await machines.terminate(providerId)) ?? {
    outcome: 'refused',
    class: 'config',
    detail: `nobody is set up to end ${providerId}`,
  };

/** The worst of several answers. */
function together(results: readonly DeleteResult[]): DeleteResult {
  const detail = results.map((result) => result.detail).join('; ');
  const unknown = results.find(({ outcome }) => outcome === 'unknown');
  const refused = results.find((result) => result.outcome === 'refused');
  if (unknown) return { outcome: 'unknown', detail };
  return refused ? { ...refused, detail } : { outcome: 'accepted', detail };
}

/** Neither exit code nor text proves anything (skypilot #2775). */
async function bySky({ cli }: RemoveParts, name: string, found: Parsed<Fleet>): Promise<DeleteResult> {
  const launch = found.ok ? launchOf(found.value, name) : undefined;
  let cancelled = '';
  if (launch !== undefined && launch !== 'unclear') {
    const reply = await cli.run('cancel-launch', [launch.id]);
    cancelled = reply.kind === 'ok' ? 'launch cancelled, ' : `launch not cancelled (${troubleOf(reply)}), `;
  }
  const row = found.ok ? found.value.rows.get(name) : undefined;
  const reply = await cli.run('down', [name], { cloud: typeof row === 'object' ? row.cloud : '' });
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
    const isAbsent = reply.stdout.includes('Cluster(s) not found');
    return {
      outcome: 'accepted',
      detail: `${cancelled}${isAbsent ? 'nothing of this name' : 'termination asked for'}`,
    };
  }
  // The reason stands on the same line or on the next.
  const reason = /Reason: (.*)/.exec(reply.stdout)?.[1] ?? complaint;
  const { class: errorClass } = classify(`RuntimeError: ${reason}`, 1);
  return { outcome: 'refused', class: errorClass, detail: `${cancelled}termination failed: ${redact(reason)}` };
}
