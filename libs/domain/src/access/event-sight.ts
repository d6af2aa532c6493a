import type { RecordedEvent } from '@davit/contracts';
import { offerKeysOf } from '../placement/ask.js';
import { offerKeyOf } from '../placement/offer.js';
import { ownerOfEvent } from './owner.js';
import { type Permit, includesRole, includesTenants } from './permit.js';

/**
 * What somebody sees of the log: the events of their tenants, and what was said of the offers that their own deployments allow.
 * Everything else, and what concerns the whole fleet, is for those who may see every tenant.
 */
export class EventSight {
  private readonly offers: Set<string>;

  /** @param offers those that the deployments of the tenants allow; more are learnt from what is declared later */
  constructor(
    private readonly permit: Permit,
    offers: Iterable<string> = [],
  ) {
    this.offers = new Set(offers);
  }

  /** True for who sees every event. */
  get isWhole(): boolean {
    return this.permit.tenants === 'all' && includesRole(this.permit.role, 'admin');
  }

  /** The event as it may be seen; undefined where it may not. */
  of(event: RecordedEvent): RecordedEvent | undefined {
    const { permit } = this;
    const [, category] = event.type.split('.');
    if (category === 'access' && !includesRole(permit.role, 'admin')) return undefined;
    if (permit.tenants === 'all') return event;
    const owner = ownerOfEvent(event);
    if (owner === 'fleet') return this.market(event);
    if (!includesTenants(permit, owner)) return undefined;
    this.learn(event);
    return event;
  }

  private learn(event: RecordedEvent): void {
    if (event.type !== 'davit.deployment.declared') return;
    const { compute } = event.data.spec.spec;
    if (compute.mode === 'elastic') for (const key of offerKeysOf(compute)) this.offers.add(key);
  }

  /** The limits that another tenant set on a placement are not part of what an offer costs. */
  private market(event: RecordedEvent): RecordedEvent | undefined {
    switch (event.type) {
      case 'davit.capacity.sampled':
      case 'davit.capacity.price-quoted':
      case 'davit.capacity.advice-failed': {
        const { placement } = event.data;
        if (!this.offers.has(offerKeyOf(placement))) return undefined;
        // The data keeps the shape of its type, which TypeScript cannot follow through the union.
        return {
          ...event,
          data: { ...event.data, placement: { ...placement, maxHourlyPrice: null } },
        } as RecordedEvent;
      }
      default:
        return undefined;
    }
  }
}
