import type { RecordedEvent } from '@davit/contracts';
import { isOrphanStream } from '../lifecycle/evolve-orphan.js';
import { keyOf, providerFact } from './violation.js';

type Permission = {
  readonly foundAt: number;
  /** From when on it may be deleted by itself; null when somebody has to approve it. */
  readonly fromMs: number | null;
  readonly approvedAt: number | null;
};

/** Which orphans may be deleted: found and of policy `auto` after the quarantine, or approved. */
export class Reaping {
  private readonly orphans = new Map<string, Permission>();

  see(event: RecordedEvent): void {
    if (event.type === 'davit.fleet.reap-approved') {
      const known = this.orphans.get(event.data.orphan);
      if (known) this.orphans.set(event.data.orphan, { ...known, approvedAt: event.position });
    }
    if (!isOrphanStream(event.stream)) return;
    if (event.type === 'davit.resource.orphan-found' || event.type === 'davit.endpoint.orphan-found') {
      const { policy, quarantinedUntil } = event.data;
      const fromMs = policy === 'auto' ? Date.parse(quarantinedUntil) : null;
      this.orphans.set(keyOf(event), { foundAt: event.position, fromMs, approvedAt: null });
    }
    if (providerFact(event) === 'orphan-cleared') this.orphans.delete(keyOf(event));
  }

  /** Why this effect on an orphan has no leave; undefined when it has. */
  objection(event: RecordedEvent, skewMs: number): { readonly text: string; readonly evidence: number[] } | undefined {
    const known = this.orphans.get(keyOf(event));
    if (!known) return { text: 'deleted although it is not known as an orphan', evidence: [] };
    if (known.approvedAt !== null) return undefined;
    const evidence = [known.foundAt];
    if (known.fromMs === null) return { text: 'an orphan deleted without approval', evidence };
    if (Date.parse(event.time) + skewMs < known.fromMs)
      return { text: 'an orphan deleted before its quarantine was over', evidence };
    return undefined;
  }
}
