import type { RecordedEvent } from '@davit/contracts';
import { isOrphanStream } from '../lifecycle/evolve-orphan.js';
import { defineLaw, keyOf, providerFact } from './violation.js';

type Proof = { readonly first: number; readonly firstMs: number; readonly count: number; readonly lastMs: number };

/** Law 5: "deleted" is said only after two spaced observations and an inventory, with no sight of the thing in between. */
export const law05 = defineLaw('law-05-absence-needs-evidence', (report, { absenceSpacingMs }) => {
  const proofs = new Map<string, Proof>();
  const settled = new Set<string>();
  /** External keys of the replicas that are not yet called deleted. */
  const keys = new Map<string, string>();

  function judge(event: RecordedEvent, key: string): void {
    const proof = proofs.get(key);
    if (!proof || proof.count < 2) report(event, key, 'absence confirmed on fewer than two observations');
    else if (proof.lastMs - proof.firstMs < absenceSpacingMs)
      report(event, key, `absence confirmed on observations ${proof.lastMs - proof.firstMs} ms apart`, [proof.first]);
  }

  return {
    see(event) {
      if (event.type === 'davit.replica.requested') keys.set(event.data.replicaId, event.data.externalKey);
      if (event.type === 'davit.replica.deleted') {
        const key = keys.get(event.data.replicaId) ?? '';
        if (!settled.has(key)) report(event, event.data.replicaId, 'called deleted without proof that it is gone');
        keys.delete(event.data.replicaId);
        settled.delete(key);
        proofs.delete(key);
      }
      const fact = providerFact(event);
      if (fact === undefined) return;
      const key = keyOf(event);
      if (isSight(event, fact)) {
        proofs.delete(key);
        settled.delete(key);
        const id = 'replicaId' in event.data ? event.data.replicaId : null;
        // Called deleted before and seen again: the deletion begins anew.
        if (id !== null && !isOrphanStream(event.stream)) keys.set(id, key);
      }
      if (fact === 'absence-observed') {
        const ms = Date.parse(event.time);
        const before = proofs.get(key) ?? { first: event.position, firstMs: ms, count: 0 };
        proofs.set(key, { ...before, count: before.count + 1, lastMs: ms });
      }
      if (fact === 'absence-confirmed') {
        judge(event, key);
        settled.add(key);
      }
      if (fact === 'released') settled.add(key);
    },
  };
});

const isSight = (event: RecordedEvent, fact: string): boolean =>
  fact === 'launch-attempted' ||
  (fact === 'observed' && 'phase' in event.data && event.data.phase !== 'unknown') ||
  (fact === 'discovered' && 'outcome' in event.data && event.data.outcome === 'present');
