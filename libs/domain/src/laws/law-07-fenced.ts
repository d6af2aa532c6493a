import { type Law, keyOf, violations } from './violation.js';

/** Law 7: effects on one key carry lease epochs that never go back: an owner that lost its lease acts no more. */
export const law07: Law = {
  name: 'law-07-fenced',
  check(events) {
    const { found, add } = violations(this.name);
    const epochs = new Map<string, number>();
    for (const event of events) {
      if (!('leaseEpoch' in event.data)) continue;
      const key = keyOf(event);
      const { leaseEpoch } = event.data;
      if (leaseEpoch < (epochs.get(key) ?? 0))
        add(event, key, `epoch ${leaseEpoch} acts after epoch ${epochs.get(key) ?? 0}`);
      epochs.set(key, leaseEpoch);
    }
    return found;
  },
};
