import { type HourlyPrice, type Placement, type RecordedEvent, type SpendLimits, streamKeyOf } from '@davit/contracts';
import { wholeMachine } from '@davit/domain';

/** What the log says of one replica that was rented. */
export interface Rented {
  readonly id: string;
  readonly deployment: string;
  readonly tenant: string;
  readonly externalKey: string;
  /** Everything that its revision allows. */
  readonly allowed: readonly Placement[];
  readonly revision: number;
  /** Its last choice; null while it was not placed. */
  placed: Placed | null;
  /** What its cloud was seen to bill, USD an hour, in the order of the log. */
  readonly bills: { readonly position: number; readonly amount: number }[];
  /** When its launch was first accepted, or its answer was lost. */
  startedAt: string | null;
  /** Where somebody first told it to go, or gave it up. */
  leaves: { readonly position: number; readonly timeMs: number } | null;
  /** Where the hourly ceiling of a budget told it to go. */
  drainedAt: number | null;
}

export interface Placed {
  readonly position: number;
  /** What the choice had read of the log. */
  readonly read: number;
  readonly placement: Placement;
  /** USD an hour for the machine that was reckoned with: its price, else its ceiling; null where nobody said any. */
  readonly amount: number | null;
  /** Budgets that held at its commit: a choice that had not read them is refused by the log. */
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
  const deployment = new Limits();
  const tenant = new Limits();
  const deferrals: Deferral[] = [];
  const waiting = new Map<string, Deferral>();

  function looked(event: RecordedEvent, replicaId: string): void {
    const deferral = waiting.get(replicaId);
    if (deferral) deferral.nextMs = Date.parse(event.time);
    waiting.delete(replicaId);
  }

  function left({ position, time }: RecordedEvent, replicaId: string): void {
    const one = byId.get(replicaId);
    if (one) one.leaves ??= { position, timeMs: Date.parse(time) };
  }

  function billed({ stream, position }: RecordedEvent, price: HourlyPrice | null): void {
    if (price?.kind === 'billed')
      rented.get(streamKeyOf(stream))?.bills.push({ position, amount: Number(price.amount) });
  }

  for (const event of events) {
    switch (event.type) {
      case 'davit.deployment.declared': {
        const { spec, revision } = event.data;
        const key = streamKeyOf(event.stream);
        const { compute, budget } = spec.spec;
        revisions.set(`${key}/${revision}`, compute.mode === 'elastic' ? compute.placements : []);
        deployment.set(key, event.position, budget ?? null);
        break;
      }
      case 'davit.tenant.budget-set':
        tenant.set(streamKeyOf(event.stream), event.position, event.data.budget);
        break;
      case 'davit.replica.requested': {
        const { replicaId: id, deployment: of, revision, externalKey } = event.data;
        const allowed = revisions.get(`${of}/${revision}`) ?? [];
        const one: Rented = {
          id,
          deployment: of,
          tenant: of.split('/')[0] ?? '',
          externalKey,
          revision,
          allowed,
          placed: null,
          bills: [],
          startedAt: null,
          leaves: null,
          drainedAt: null,
        };
        rented.set(externalKey, one);
        byId.set(id, one);
        break;
      }
      case 'davit.replica.placed': {
        const { replicaId, placement, price } = event.data;
        const one = byId.get(replicaId);
        if (!one || !placement) break;
        const read = event.basedonposition ?? event.position;
        const said = price ? wholeMachine(price, placement) : placement.maxHourlyPrice;
        one.placed = {
          position: event.position,
          read,
          placement,
          amount: said === null ? null : Number(said),
          limits: {
            deployment: deployment.at(one.deployment, event.position),
            tenant: tenant.at(one.tenant, event.position),
          },
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
      case 'davit.resource.launch-accepted':
      case 'davit.resource.launch-unknown': {
        const one = rented.get(streamKeyOf(event.stream));
        if (one) one.startedAt ??= event.time;
        break;
      }
      case 'davit.resource.observed':
        billed(event, event.data.price);
        break;
      case 'davit.replica.discovery-requested':
        looked(event, event.data.replicaId);
        break;
      case 'davit.replica.failed':
        left(event, event.data.replicaId);
        break;
      case 'davit.replica.drain-requested':
      case 'davit.replica.delete-requested': {
        const one = byId.get(event.data.replicaId);
        if (one && !one.leaves && event.data.budget?.ceiling === 'hourly') one.drainedAt = event.position;
        left(event, event.data.replicaId);
        looked(event, event.data.replicaId);
        break;
      }
      default:
    }
  }
  return { rented, deferrals, budgets: { deployment: deployment.now(), tenant: tenant.now() } };
}

/** Ceilings by whose they are, as they were at each position. */
class Limits {
  private readonly byName = new Map<string, { readonly from: number; readonly limits: SpendLimits | null }[]>();

  set(name: string, from: number, limits: SpendLimits | null): void {
    this.byName.set(name, [...(this.byName.get(name) ?? []), { from, limits }]);
  }
  at(name: string, position: number): SpendLimits | null {
    return this.byName.get(name)?.findLast(({ from }) => from <= position)?.limits ?? null;
  }
  now(): ReadonlyMap<string, SpendLimits | null> {
    return new Map([...this.byName].map(([name, changes]) => [name, changes.at(-1)?.limits ?? null]));
  }
}
