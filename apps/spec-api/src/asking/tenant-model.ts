import {
  type AlarmState,
  type FleetState,
  type KeyState,
  type OfferState,
  type OrphanState,
  type Owner,
  type ReplicaState,
  type WebhookState,
  groupOf,
  includesTenants,
  ownerOfAlarm,
  ownerOfOrphan,
} from '@davit/domain';
import type { Document, ReadModel, StoredDocument } from '@davit/projection';
import { type Principal, maySee } from './principal.js';
import { offersOf } from './sight.js';

type Tenants = Pick<Principal, 'tenants'>;

/** The documents of some tenants. Of what is about everybody, offers and the fleet, they see their own share. */
export function tenantModel(model: ReadModel, principal: Tenants): ReadModel {
  const { tenants } = principal;
  if (tenants === 'all') return model;
  const share = shareOf(model, tenants);
  const visible = async <Stored extends StoredDocument>(stored: readonly Stored[]): Promise<readonly Stored[]> => {
    const shares = await Promise.all(stored.map(share));
    return stored.flatMap((one, index) => {
      const document = shares[index];
      return document ? [{ ...one, document }] : [];
    });
  };
  /** Whoever knows the name of an offer may ask what it costs; which others look for it is told to nobody. */
  const listed = async <Stored extends StoredDocument>(found: readonly Stored[]): Promise<readonly Stored[]> => {
    if (!found.some(({ kind }) => kind === 'offer')) return found;
    const own = await offersOf(model, tenants);
    return found.filter(({ kind, key }) => kind !== 'offer' || own.has(key));
  };
  return {
    position: () => model.position(),
    async get<Shape extends Document>(kind: string, key: string, notBefore?: number) {
      const stored = await model.get<Shape>(kind, key, notBefore);
      return stored && (await visible([stored]))[0];
    },
    async list<Shape extends Document>(kind: string, group?: string, notBefore?: number, changedAfter?: number) {
      return visible(await listed(await model.list<Shape>(kind, group, notBefore, changedAfter)));
    },
    async scan(after, limit) {
      const found = [];
      for (let from = after; found.length < limit;) {
        const page = await model.scan(from, limit);
        found.push(...(await visible(await listed(page))));
        if (page.length < limit) break;
        from = page.at(-1);
      }
      return found.slice(0, limit);
    },
  };
}

/** What the tenants may see of a document; undefined where it is none of theirs. */
function shareOf(model: ReadModel, tenants: readonly string[]) {
  const principal = { tenants };
  const isOwn = (replicaId: string): boolean => maySee(principal, replicaId.split('/')[0] ?? '');
  return async ({ kind, document }: StoredDocument): Promise<Document | undefined> => {
    // The kind tells the shape, as it does in the store.
    switch (kind) {
      case 'offer':
        return ownTries(document as OfferState, isOwn);
      case 'fleet':
        return ownFleet(document as FleetState, isOwn, await serving(model, tenants));
      case 'key':
        return ifOwn(principal, (document as KeyState).tenants, document);
      case 'webhook':
        return ifOwn(principal, (document as WebhookState).tenants, document);
      case 'alarm':
        return ifOwn(principal, ownerOfAlarm(document as AlarmState), document);
      case 'orphan':
        return ifOwn(principal, ownerOfOrphan(document as OrphanState), document);
      default:
        return typeof document.tenant === 'string' && maySee(principal, document.tenant) ? document : undefined;
    }
  };
}

const ifOwn = (principal: Tenants, owner: Owner | 'all', document: Document): Document | undefined =>
  owner !== 'fleet' && includesTenants(principal, owner) ? document : undefined;

function ownTries(offer: OfferState, isOwn: (replicaId: string) => boolean): OfferState {
  return {
    ...offer,
    open: Object.fromEntries(Object.entries(offer.open).filter(([replicaId]) => isOwn(replicaId))),
    tries: offer.tries.filter(({ replicaId }) => isOwn(replicaId)),
    losses: offer.losses.filter(({ replicaId }) => isOwn(replicaId)),
  };
}

function ownFleet(fleet: FleetState, isOwn: (replicaId: string) => boolean, ready: number): FleetState {
  const { losses, frozen, thawOrdered } = fleet;
  return {
    ...fleet,
    serving: ready,
    losses: losses.filter(({ replicaId }) => isOwn(replicaId)),
    frozen: frozen && { since: frozen.since, detail: 'too much of the whole fleet fell ill at once' },
    thawOrdered: thawOrdered && { at: thawOrdered.at, reason: 'an operator of the whole fleet ordered it' },
  };
}

async function serving(model: ReadModel, tenants: readonly string[]): Promise<number> {
  const groups = await Promise.all(
    tenants.map((tenant) => model.list<ReplicaState>('replica', groupOf.presentIn(tenant))),
  );
  return groups.flat().filter(({ document }) => document.status === 'ready').length;
}
