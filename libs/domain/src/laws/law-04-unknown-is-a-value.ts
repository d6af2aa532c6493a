import type { RecordedEvent } from '@davit/contracts';
import { Stock } from './stock.js';
import { defineLaw, keyOf, knew, providerFact } from './violation.js';

/**
 * Law 4: what is not known is not taken for healthy, absent or empty. Nothing is called gone on a look that failed, nothing
 * ready or routed whose runtime is not known to be ready, nothing is launched while it is unknown whether it exists, and no
 * offer is passed over for what is not known of its stock.
 */
export const law04 = defineLaw('law-04-unknown-is-a-value', (report, options) => {
  const stock = new Stock(report, options);
  /** Keys whose last look found out nothing, and where. */
  const blind = new Map<string, number>();
  /** Replicas of which it is not known whether a thing of their name exists, and since when. */
  const undiscovered = new Map<string, number>();
  const runtimes = new Map<string, { readonly ready: boolean; readonly position: number }>();

  function seeProvider(event: RecordedEvent, fact: string): void {
    const key = keyOf(event);
    switch (fact) {
      case 'discovered':
        if (!('outcome' in event.data) || !('replicaId' in event.data) || event.data.replicaId === null) return;
        if (event.data.outcome === 'unknown') undiscovered.set(event.data.replicaId, event.position);
        else {
          undiscovered.delete(event.data.replicaId);
          blind.delete(key);
        }
        return;
      case 'observed':
        if ('phase' in event.data && event.data.phase === 'unknown') blind.set(key, event.position);
        else blind.delete(key);
        return;
      case 'absence-observed':
        if ('by' in event.data && event.data.by === 'inventory' && event.data.inventoryRows === null)
          report(event, key, 'called absent on an inventory that was not read');
        blind.delete(key);
        return;
      case 'absence-confirmed': {
        const since = blind.get(key);
        if (since !== undefined) report(event, key, 'proven absent although the last look failed', [since]);
        blind.delete(key);
        return;
      }
      case 'launch-attempted': {
        blind.delete(key);
        const since = 'replicaId' in event.data ? undiscovered.get(event.data.replicaId ?? '') : undefined;
        if (since !== undefined) report(event, key, 'launched while it is unknown whether it exists', [since]);
        return;
      }
      default:
    }
  }

  function mustBeReady(event: RecordedEvent, replicaId: string, verb: string): void {
    const runtime = runtimes.get(replicaId);
    if (!runtime) report(event, replicaId, `${verb} although nothing is known of its runtime`);
    else if (!runtime.ready && knew(event, runtime.position))
      report(event, replicaId, `${verb} although its runtime is not known to be ready`, [runtime.position]);
  }

  return {
    see(event) {
      stock.see(event);
      const fact = providerFact(event);
      if (fact !== undefined) seeProvider(event, fact);
      switch (event.type) {
        case 'davit.replica.discovery-requested':
          undiscovered.set(event.data.replicaId, event.position);
          break;
        case 'davit.replica.launch-requested': {
          const since = undiscovered.get(event.data.replicaId);
          if (since !== undefined)
            report(event, event.data.replicaId, 'a launch asked for while it is unknown whether it exists', [since]);
          break;
        }
        case 'davit.runtime.became-ready':
          runtimes.set(event.data.replicaId, { ready: true, position: event.position });
          break;
        case 'davit.runtime.probing-started':
        case 'davit.runtime.became-unready':
        case 'davit.runtime.model-mismatched':
          runtimes.set(event.data.replicaId, { ready: false, position: event.position });
          break;
        case 'davit.replica.ready':
          mustBeReady(event, event.data.replicaId, 'called ready');
          break;
        case 'davit.route.registered':
          mustBeReady(event, event.data.target.replica, 'routed');
          break;
        case 'davit.replica.deleted':
          undiscovered.delete(event.data.replicaId);
          runtimes.delete(event.data.replicaId);
          break;
        default:
      }
    },
  };
});
