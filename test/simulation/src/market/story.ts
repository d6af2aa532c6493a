import { type Placement, type RecordedEvent, type SpendLimits, streamKeyOf } from '@davit/contracts';
import { wholeMachine } from '@davit/domain';

/** What the log says of one replica that was rented. */
export interface Rented {
  readonly id: string;
  readonly deployment: string;
  readonly tenant: string;
  readonly externalKey: string;
  /** Everything that its revision allows. */
  readonly allowed: readonly Placement[];
  /** Its last choice; null while it was not placed. */
  placed: Placed | null;
}

export interface Placed {
  readonly position: number;
  readonly placement: Placement;
  /** USD an hour for the machine that was reckoned with: its price, else its ceiling; null where nobody said any. */
  readonly amount: number | null;
  /** Budgets that held then. */
  readonly limits: { readonly deployment: SpendLimits | null; readonly tenant: SpendLimits | null };
}

export interface Deferral {
  readonly event: RecordedEvent;
  readonly replicaId: string;
  readonly retryAt: string;
  readonly evidence: number;
  /** When it was looked at again, or given up. */
  nextMs: number | null;
}

/** What a log says of choices and of the budgets they were made under, read by its events alone. */
export interface Story {
  /** By external key. */
  readonly rented: ReadonlyMap<string, Rented>;
  readonly deferrals: readonly Deferral[];
  readonly budgets: {
    readonly deployment: ReadonlyMap<string, SpendLimits | null>;
    readonly tenant: ReadonlyMap<string, SpendLimits | null>;
  };
}

export function readStory(events: readonly RecordedEvent[]): Story {
  const rented = new Map<string, Rented>();
  const byId = new Map<string, Rented>();
  const revisions = new Map<string, readonly Placement[]>();
  const deployment = new Map<string, SpendLimits | null>();
  const tenant = new Map<string, SpendLimits | null>();
  const deferrals: Deferral[] = [];
  const waiting = new Map<string, Deferral>();

  function looked(event: RecordedEvent, replicaId: string): void {
    const deferral = waiting.get(replicaId);
    if (deferral) deferral.nextMs = Date.parse(event.time);
    waiting.delete(replicaId);
  }

  for (const event of events) {
    switch (event.type) {
      case 'davit.deployment.declared': {
        const { spec, revision } = event.data;
        const key = streamKeyOf(event.stream);
        const { compute, budget } = spec.spec;
        revisions.set(`${key}/${revision}`, compute.mode === 'elastic' ? compute.placements : []);
        deployment.set(key, budget ?? null);
        break;
      }
      case 'davit.tenant.budget-set':
        tenant.set(streamKeyOf(event.stream), event.data.budget);
        break;
      case 'davit.replica.requested': {
        const { replicaId: id, deployment: of, revision, externalKey } = event.data;
        const allowed = revisions.get(`${of}/${revision}`) ?? [];
        const one: Rented = { id, deployment: of, tenant: of.split('/')[0] ?? '', externalKey, allowed, placed: null };
        rented.set(externalKey, one);
        byId.set(id, one);
        break;
      }
      case 'davit.replica.placed': {
        const { replicaId, placement, price } = event.data;
        const one = byId.get(replicaId);
        if (!one || !placement) break;
        const said = price ? wholeMachine(price, placement) : placement.maxHourlyPrice;
        one.placed = {
          position: event.position,
          placement,
          amount: said === null ? null : Number(said),
          limits: { deployment: deployment.get(one.deployment) ?? null, tenant: tenant.get(one.tenant) ?? null },
        };
        break;
      }
      case 'davit.replica.deferred': {
        const { replicaId, retryAt, evidence } = event.data;
        const deferral: Deferral = { event, replicaId, retryAt, evidence: evidence.length, nextMs: null };
        deferrals.push(deferral);
        waiting.set(replicaId, deferral);
        break;
      }
      case 'davit.replica.discovery-requested':
      case 'davit.replica.delete-requested':
        looked(event, event.data.replicaId);
        break;
      default:
    }
  }
  return { rented, deferrals, budgets: { deployment, tenant } };
}
