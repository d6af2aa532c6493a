import { type Law, keyOf, providerFact, violations } from './violation.js';

/** Law 5: "deleted" is said only after two spaced observations and an inventory, with no sight of the thing in between. */
export const law05: Law = {
  name: 'law-05-absence-needs-evidence',
  check(events) {
    const { found, add } = violations(this.name);
    const seenAbsent = new Map<string, number>();
    const settled = new Set<string>();
    const keys = new Map<string, string>();
    for (const event of events) {
      if (event.type === 'davit.replica.requested') keys.set(event.data.replicaId, event.data.externalKey);
      if (event.type === 'davit.replica.deleted') {
        const key = keys.get(event.data.replicaId) ?? '';
        if (!settled.has(key)) add(event, event.data.replicaId, 'called deleted without proof that it is gone');
      }
      const fact = providerFact(event);
      if (fact === undefined) continue;
      const key = keyOf(event);
      const present =
        (fact === 'observed' && 'phase' in event.data && event.data.phase !== 'unknown') || fact === 'launch-attempted';
      if (present) {
        seenAbsent.delete(key);
        settled.delete(key);
      }
      if (fact === 'absence-observed') seenAbsent.set(key, (seenAbsent.get(key) ?? 0) + 1);
      if (fact === 'absence-confirmed') {
        if ((seenAbsent.get(key) ?? 0) < 2) add(event, key, 'absence confirmed on fewer than two observations');
        settled.add(key);
      }
      if (fact === 'released') settled.add(key);
    }
    return found;
  },
};
