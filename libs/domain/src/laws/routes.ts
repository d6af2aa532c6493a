import type { RecordedEvent } from '@davit/contracts';
import type { Report } from './violation.js';

type Unproven = {
  readonly replicaId: string;
  readonly registeredAt: number;
  readonly lostAt: number;
  readonly lostAtMs: number;
};

/** Which replicas are proven, routed and drained, and what of it does not fit together. */
export class Routes {
  private readonly proven = new Map<string, number>();
  private readonly lost = new Map<string, { readonly position: number; readonly atMs: number }>();
  /** Where each was registered, by the aliases that lead to it. */
  private readonly routed = new Map<string, Map<string, number>>();
  private readonly drained = new Map<string, number>();

  constructor(private readonly report: Report) {}

  see(event: RecordedEvent): void {
    switch (event.type) {
      case 'davit.runtime.became-ready':
        this.proven.set(event.data.replicaId, event.position);
        this.lost.delete(event.data.replicaId);
        break;
      case 'davit.runtime.became-unready':
      case 'davit.runtime.model-mismatched':
        this.proven.delete(event.data.replicaId);
        this.lost.set(event.data.replicaId, { position: event.position, atMs: Date.parse(event.time) });
        break;
      case 'davit.route.registered':
        this.register(event, event.data.target.replica, event.data.alias);
        break;
      case 'davit.route.withdrawn':
        this.withdraw(event.data.replica, event.data.alias);
        break;
      case 'davit.replica.drained':
        this.leave(event, event.data.replicaId, 'called drained while it had a route');
        break;
      case 'davit.replica.delete-requested':
        this.leave(event, event.data.replicaId, 'deletion began while it had a route');
        break;
      case 'davit.replica.deleted':
        for (const map of [this.proven, this.lost, this.drained]) map.delete(event.data.replicaId);
        break;
      default:
    }
  }

  /** Routes that are still there although their proof was lost, and where. */
  *unproven(): Iterable<Unproven> {
    for (const [replicaId, aliases] of this.routed) {
      const registeredAt = Math.max(...aliases.values());
      const lost = this.lost.get(replicaId);
      if (lost) yield { replicaId, registeredAt, lostAt: lost.position, lostAtMs: lost.atMs };
    }
  }

  private register(event: RecordedEvent, id: string, alias: string): void {
    const lost = this.lost.get(id);
    if (!this.proven.has(id)) this.report(event, id, 'routed without proof of readiness', lost ? [lost.position] : []);
    const drained = this.drained.get(id);
    if (drained !== undefined) this.report(event, id, 'routed after it was drained', [drained]);
    this.routed.set(id, (this.routed.get(id) ?? new Map<string, number>()).set(alias, event.position));
  }

  private withdraw(id: string, alias: string): void {
    const aliases = this.routed.get(id);
    aliases?.delete(alias);
    if (aliases?.size === 0) this.routed.delete(id);
  }

  private leave(event: RecordedEvent, id: string, message: string): void {
    const routed = this.routed.get(id);
    if (routed !== undefined) this.report(event, id, message, [...routed.values()]);
    this.drained.set(id, event.position);
  }
}
