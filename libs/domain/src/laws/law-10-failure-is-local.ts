import { Slots } from './slots.js';
import { defineLaw } from './violation.js';

/**
 * Law 10, as a log shows it: what is quarantined stays apart (nothing is launched or routed for it any more), and no
 * incarnation takes the place of one that nobody has given up, so that one replica's trouble is never two machines.
 */
export const law10 = defineLaw('law-10-failure-is-local', (report) => {
  const slots = new Slots(report);
  const quarantined = new Map<string, number>();
  return {
    see(event) {
      slots.see(event);
      switch (event.type) {
        case 'davit.replica.quarantined':
          quarantined.set(event.data.replicaId, event.position);
          return;
        case 'davit.replica.deleted':
          quarantined.delete(event.data.replicaId);
          return;
        case 'davit.replica.launch-requested':
        case 'davit.replica.ready': {
          const since = quarantined.get(event.data.replicaId);
          if (since !== undefined) report(event, event.data.replicaId, 'went on although it is quarantined', [since]);
          return;
        }
        case 'davit.route.registered': {
          const since = quarantined.get(event.data.target.replica);
          if (since !== undefined && (event.basedonposition ?? event.position) >= since)
            report(event, event.data.target.replica, 'routed although it is quarantined', [since]);
          return;
        }
        default:
      }
    },
  };
});
