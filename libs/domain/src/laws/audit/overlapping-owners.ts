import { Slots } from '../slots.js';
import { type Law, defineLaw } from '../violation.js';

/** Two replicas own one thing, or have one place and are both paid for. */
export const overlappingOwners: Law = defineLaw('audit-overlapping-owners', (report) => {
  const slots = new Slots(report);
  const owners = new Map<string, { readonly replicaId: string; readonly position: number }>();
  return {
    see(event) {
      slots.see(event);
      if (event.type !== 'davit.replica.requested') return;
      const { externalKey, replicaId } = event.data;
      const owner = owners.get(externalKey);
      if (owner) report(event, externalKey, `owned by ${owner.replicaId} and by ${replicaId}`, [owner.position]);
      owners.set(externalKey, { replicaId, position: event.position });
    },
  };
});
