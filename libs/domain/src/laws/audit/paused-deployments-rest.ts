import { type EventOf, type RecordedEvent, streamKeyOf } from '@davit/contracts';
import { deploymentKeyOf } from '../../lifecycle/evolve-deployment.js';
import { type Law, defineLaw } from '../violation.js';

type ReplicaEvent = EventOf<'replica'>;

/** Steps that end what was begun before the pause. */
const ENDING: ReadonlySet<string> = new Set([
  'davit.replica.drained',
  'davit.replica.failed',
  // One that is seen again after it was proven gone is ended once more.
  'davit.replica.deleted',
]);

/** A paused deployment was changed by a decision that knew of the pause: something was started, replaced or deleted. */
export const pausedDeploymentsRest: Law = defineLaw('audit-paused-deployments-rest', (report) => {
  const paused = new Map<string, number>();
  const ending = new Set<string>();

  function objection(event: ReplicaEvent): string | undefined {
    switch (event.type) {
      case 'davit.replica.requested':
      case 'davit.replica.placed':
      case 'davit.replica.launch-requested':
        return 'was started';
      case 'davit.replica.drain-requested':
        return 'was to be drained';
      case 'davit.replica.failed':
        return event.data.hadServed ? 'served, and was given up' : undefined;
      case 'davit.replica.delete-requested':
        return ending.has(event.data.replicaId) ? undefined : 'was to be deleted';
      default:
        return undefined;
    }
  }

  function seeReplica(event: ReplicaEvent): void {
    const id = event.data.replicaId;
    const since = paused.get(deploymentKeyOf(id) ?? '');
    const told = since === undefined ? undefined : objection(event);
    if (since !== undefined && told !== undefined && (event.basedonposition ?? event.position) >= since)
      report(event, id, `${told} while its deployment was paused`, [since]);
    if (ENDING.has(event.type)) ending.add(id);
    else ending.delete(id);
  }

  return {
    see(event) {
      switch (event.type) {
        case 'davit.deployment.paused':
          paused.set(streamKeyOf(event.stream), event.position);
          return;
        case 'davit.deployment.resumed':
        case 'davit.deployment.deletion-requested':
          paused.delete(streamKeyOf(event.stream));
          return;
        default:
          if (isReplicaEvent(event)) seeReplica(event);
      }
    },
  };
});

const isReplicaEvent = (event: RecordedEvent): event is ReplicaEvent => event.type.startsWith('davit.replica.');
