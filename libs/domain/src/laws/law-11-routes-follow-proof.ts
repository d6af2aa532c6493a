import { type Law, violations } from './violation.js';

/**
 * Law 11: a route points only at an incarnation whose runtime is proven, none is left when the incarnation is deleted, and
 * none comes back once it is drained.
 */
export const law11: Law = {
  name: 'law-11-routes-follow-proof',
  check(events) {
    const { found, add } = violations(this.name);
    const proven = new Set<string>();
    const routed = new Set<string>();
    const drained = new Set<string>();
    for (const event of events) {
      switch (event.type) {
        case 'davit.runtime.became-ready':
          proven.add(event.data.replicaId);
          break;
        case 'davit.runtime.became-unready':
        case 'davit.runtime.model-mismatched':
          proven.delete(event.data.replicaId);
          break;
        case 'davit.route.registered':
          if (!proven.has(event.data.target.replica))
            add(event, event.data.target.replica, 'routed without proof of readiness');
          if (drained.has(event.data.target.replica))
            add(event, event.data.target.replica, 'routed after it was drained');
          routed.add(event.data.target.replica);
          break;
        case 'davit.route.withdrawn':
          routed.delete(event.data.replica);
          break;
        case 'davit.replica.drained':
          if (routed.has(event.data.replicaId)) add(event, event.data.replicaId, 'called drained while it had a route');
          drained.add(event.data.replicaId);
          break;
        case 'davit.replica.delete-requested':
          drained.add(event.data.replicaId);
          if (routed.has(event.data.replicaId)) add(event, event.data.replicaId, 'deletion began while it had a route');
          break;
        default:
      }
    }
    return found;
  },
};
