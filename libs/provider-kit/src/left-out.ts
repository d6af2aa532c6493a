import { groupOf, type ReplicaState } from '@davit/domain';
import type { ReadModel } from '@davit/projection';

/** Names told before the rest is only counted. */
const MAX_NAMES = 5;

/**
 * Replicas that a backend still has to end, in words; undefined when there are none. Whoever takes a backend or its
 * credentials away while it has some leaves them running with nobody to end them.
 */
export async function openReplicasOf(model: ReadModel, adapter: string): Promise<string | undefined> {
  const open = await model.list<ReplicaState>('replica', groupOf.adapter(adapter));
  if (open.length === 0) return undefined;
  const names = open.slice(0, MAX_NAMES).map(({ document: { id, status } }) => `${id} (${status})`);
  const more = open.length > MAX_NAMES ? ` and ${open.length - MAX_NAMES} more` : '';
  return `${names.join(', ')}${more}`;
}
