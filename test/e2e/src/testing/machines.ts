import type { RecordedEvent } from '@davit/contracts';
import type { WorldMachine } from '../world-client.js';

const OWNER = /^sky:(.+)$/;

/** External key under which a machine was asked for; undefined when it was not SkyPilot that asked. */
export const externalKeyOf = ({ owner }: WorldMachine): string | undefined => OWNER.exec(owner)?.[1];

/** Machines that were created without an earlier event that announces their key (law 2, told by the outside itself). */
export function unannounced(machines: readonly WorldMachine[], events: readonly RecordedEvent[]): readonly string[] {
  const announcedAtMs = new Map<string, number>();
  for (const event of events) {
    if (event.type !== 'davit.resource.launch-attempted') continue;
    const key = event.stream.slice('resource/'.length);
    if (!announcedAtMs.has(key)) announcedAtMs.set(key, Date.parse(event.time));
  }
  return machines
    .filter((machine) => !((announcedAtMs.get(externalKeyOf(machine) ?? '') ?? Infinity) <= machine.createdAtMs))
    .map(({ id, owner, createdAtMs }) => `${id} of ${owner} at ${new Date(createdAtMs).toISOString()}`);
}

/** How many machines the outside ever made for each replica of a deployment, by replica id. */
export function machinesByReplica(
  deployment: string,
  machines: readonly WorldMachine[],
  events: readonly RecordedEvent[],
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const event of events) {
    if (event.type !== 'davit.replica.requested' || event.data.deployment !== deployment) continue;
    const { replicaId, externalKey } = event.data;
    counts[replicaId] = machines.filter((machine) => externalKeyOf(machine) === externalKey).length;
  }
  return counts;
}

/** Two machines that were up at the same time under one name, in words. */
export function doubledMachines(machines: readonly WorldMachine[]): readonly string[] {
  return machines.flatMap(({ id, owner, createdAtMs }) =>
    machines
      .filter((other) => other.owner === owner && other.id !== id && other.createdAtMs <= createdAtMs)
      .filter(({ endedAtMs }) => endedAtMs === null || endedAtMs > createdAtMs)
      .map((other) => `${owner} has two machines at once: ${other.id} and ${id}`),
  );
}
