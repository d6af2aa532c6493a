import { type Law, keyOf, providerFact, violations } from './violation.js';

const EFFECTS = ['launch', 'delete'] as const;

/** Law 2: no effect before an event with its external key, and no outcome without the attempt it belongs to. */
export const law02: Law = {
  name: 'law-02-intent-before-effect',
  check(events) {
    const { found, add } = violations(this.name);
    const requested = new Set<string>();
    const attempted = new Set<string>();
    for (const event of events) {
      if (event.type === 'davit.replica.requested') requested.add(event.data.externalKey);
      const fact = providerFact(event);
      const effect = EFFECTS.find((name) => fact?.startsWith(`${name}-`));
      if (fact === undefined || effect === undefined || !('attempt' in event.data)) continue;
      const key = keyOf(event);
      const name = `${key} ${effect} ${event.data.attempt}`;
      if (fact.endsWith('-attempted')) {
        if (!requested.has(key)) add(event, key, `${effect} attempted for a key that nobody requested`);
        attempted.add(name);
      } else if (!attempted.has(name)) add(event, key, `${fact} without an attempt before it`);
    }
    return found;
  },
};
