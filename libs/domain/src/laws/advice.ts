import type { EventData, RecordedEvent, StockSignal } from '@davit/contracts';

export type RungEvidence = EventData<'davit.replica.placed'>['evidence'][number];
export type Assessed = { readonly signal: StockSignal; readonly position: number };

/** What advisors said to replicas that are still to be placed, while a log is read. */
export class Advice {
  private readonly byReplica = new Map<string, Map<number, Assessed>>();

  see(event: RecordedEvent): void {
    switch (event.type) {
      case 'davit.capacity.assessed': {
        const { replicaId, rung, signal } = event.data;
        const rungs = this.byReplica.get(replicaId) ?? new Map<number, Assessed>();
        this.byReplica.set(replicaId, rungs.set(rung, { signal, position: event.position }));
        return;
      }
      case 'davit.replica.launch-requested':
      case 'davit.replica.discovery-requested':
      case 'davit.replica.delete-requested':
      case 'davit.replica.deleted':
        this.byReplica.delete(event.data.replicaId);
        return;
      default:
    }
  }

  /** The very signal that a piece of evidence tells of; undefined when it tells of another, or of none. */
  behind(replicaId: string, { rung, source, observedAt }: RungEvidence): Assessed | undefined {
    const assessed = this.byReplica.get(replicaId)?.get(rung);
    const same = assessed?.signal.source === source && assessed.signal.observedAt === observedAt;
    return same ? assessed : undefined;
  }
}

export const lifetimeMsOf = ({ observedAt, expiresAt }: StockSignal): number =>
  Date.parse(expiresAt) - Date.parse(observedAt);
