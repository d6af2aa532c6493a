import { parseReplicaId } from '../identity.js';
import { type Law, violations } from './violation.js';

/** Law 6: one external key for one incarnation, and incarnations of a slot only grow. */
export const law06: Law = {
  name: 'law-06-identity-is-deterministic-and-never-reused',
  check(events) {
    const { found, add } = violations(this.name);
    const owners = new Map<string, string>();
    const highest = new Map<string, number>();
    for (const event of events) {
      if (event.type !== 'davit.replica.requested') continue;
      const { replicaId, externalKey, deployment, revision, ordinal, incarnation } = event.data;
      const owner = owners.get(externalKey);
      if (owner !== undefined) add(event, externalKey, `already the key of ${owner}`);
      owners.set(externalKey, replicaId);
      const slot = `${deployment}-${revision}-${ordinal}`;
      if (incarnation <= (highest.get(slot) ?? 0)) add(event, replicaId, 'incarnation does not grow');
      highest.set(slot, incarnation);
      if (parseReplicaId(replicaId)?.incarnation !== incarnation) add(event, replicaId, 'id and incarnation differ');
    }
    return found;
  },
};
