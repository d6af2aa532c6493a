import { parseReplicaId } from '../identity.js';
import { defineLaw, knew } from './violation.js';

type Owner = { readonly replicaId: string; readonly position: number; readonly gone: boolean };

/**
 * Law 6: one external key for one incarnation, and incarnations of a slot only grow. What has an owner in the log is not
 * called ownerless, and nobody is called gone before the log says so.
 */
export const law06 = defineLaw('law-06-identity-is-deterministic-and-never-reused', (report) => {
  const owners = new Map<string, Owner>();
  const keys = new Map<string, string>();
  const highest = new Map<string, number>();
  return {
    see(event) {
      switch (event.type) {
        case 'davit.replica.requested': {
          const { replicaId, externalKey, deployment, revision, ordinal, incarnation } = event.data;
          const owner = owners.get(externalKey);
          if (owner) report(event, externalKey, `already the key of ${owner.replicaId}`, [owner.position]);
          owners.set(externalKey, { replicaId, position: event.position, gone: false });
          keys.set(replicaId, externalKey);
          const slot = `${deployment}-${revision}-${ordinal}`;
          if (incarnation <= (highest.get(slot) ?? 0)) report(event, replicaId, 'incarnation does not grow');
          highest.set(slot, incarnation);
          if (parseReplicaId(replicaId)?.incarnation !== incarnation)
            report(event, replicaId, 'id and incarnation differ');
          return;
        }
        case 'davit.replica.deleted': {
          const key = keys.get(event.data.replicaId) ?? '';
          const owner = owners.get(key);
          if (owner) owners.set(key, { ...owner, gone: true });
          keys.delete(event.data.replicaId);
          return;
        }
        case 'davit.resource.orphan-found':
        case 'davit.endpoint.orphan-found': {
          const { externalKey, reason } = event.data;
          const owner = owners.get(externalKey);
          if (reason === 'no-owner' && owner && knew(event, owner.position))
            report(event, externalKey, `called ownerless, and is the key of ${owner.replicaId}`, [owner.position]);
          if (reason === 'owner-gone' && owner?.gone !== true)
            report(event, externalKey, 'its owner is called gone, and the log does not say so');
          return;
        }
        default:
      }
    },
  };
});
