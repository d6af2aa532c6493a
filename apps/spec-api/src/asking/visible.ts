import type { RecordedEvent } from '@davit/contracts';
import { type Principal, maySee } from './principal.js';

/** Whether the principal may see an event: those of its tenants, and what is said of the market, which is of no tenant. */
export function visibleTo(principal: Pick<Principal, 'tenants'>): (event: RecordedEvent) => boolean {
  if (principal.tenants === 'all') return () => true;
  return (event) => {
    switch (event.type) {
      case 'davit.capacity.sampled':
      case 'davit.capacity.price-quoted':
        return true;
      // These count, and name, replicas of every tenant.
      case 'davit.fleet.frozen':
      case 'davit.fleet.thawed':
      case 'davit.fleet.thaw-ordered':
        return false;
      default:
        return maySee(principal, event.tenant);
    }
  };
}
