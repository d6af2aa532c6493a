import type { RecordedEvent } from '@davit/contracts';
import { isOrphanStream } from '../lifecycle/evolve-orphan.js';
import { type Report, providerFact } from './violation.js';

type Life = { readonly requestedAt: number; readonly acceptedAt: number | null };

/** Which incarnations of each slot (deployment, revision, ordinal) are neither given up nor on their way out. */
export class Slots {
  private readonly slots = new Map<string, Map<string, Life>>();
  private readonly slotOf = new Map<string, string>();

  constructor(private readonly report: Report) {}

  see(event: RecordedEvent): void {
    switch (event.type) {
      case 'davit.replica.requested': {
        const { replicaId, deployment, revision, ordinal } = event.data;
        const name = `${deployment}-${revision}-${ordinal}`;
        const lives = this.slots.get(name) ?? new Map<string, Life>();
        this.slots.set(name, lives.set(replicaId, { requestedAt: event.position, acceptedAt: null }));
        this.slotOf.set(replicaId, name);
        this.mustBeAlone(event, replicaId, lives);
        return;
      }
      case 'davit.resource.launch-accepted':
      case 'davit.endpoint.launch-accepted': {
        const id = event.data.replicaId;
        const lives = id === null ? undefined : this.slots.get(this.slotOf.get(id) ?? '');
        const life = lives?.get(id ?? '');
        if (id === null || !lives || !life || isOrphanStream(event.stream)) return;
        lives.set(id, { ...life, acceptedAt: event.position });
        this.mustBeAlone(event, id, lives);
        return;
      }
      case 'davit.replica.failed':
      case 'davit.replica.drain-requested':
      case 'davit.replica.delete-requested':
      case 'davit.replica.quarantined':
      case 'davit.replica.deleted':
        this.leave(event.data.replicaId);
        return;
      default:
    }
  }

  private mustBeAlone(event: RecordedEvent, id: string, lives: ReadonlyMap<string, Life>): void {
    for (const [other, { acceptedAt }] of lives) {
      if (other === id || acceptedAt === null) continue;
      const verb = providerFact(event) === undefined ? 'asked for' : 'launched';
      this.report(event, id, `${verb} while ${other} has its place and is not given up`, [acceptedAt]);
    }
  }

  private leave(id: string): void {
    const name = this.slotOf.get(id);
    if (name === undefined) return;
    this.slotOf.delete(id);
    const lives = this.slots.get(name);
    lives?.delete(id);
    if (lives?.size === 0) this.slots.delete(name);
  }
}
