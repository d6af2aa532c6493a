import type { RecordedEvent } from '@davit/contracts';
import { type Law, keyOf, providerFact, violations } from './violation.js';

/** Law 3: each attempt ends in accepted, refused or unknown; a launch left unknown is resolved before the end. */
export const law03: Law = {
  name: 'law-03-every-attempt-has-an-outcome',
  check(events, ended) {
    const { found, add } = violations(this.name);
    const open = new Map<string, RecordedEvent>();
    for (const event of events) {
      const match = /^(launch|delete)-(attempted|accepted|refused|unknown)$/.exec(providerFact(event) ?? '');
      if (!match || !('attempt' in event.data)) continue;
      const [, effect = '', outcome = ''] = match;
      const name = `${keyOf(event)} ${effect}`;
      if (outcome === 'attempted') {
        const before = open.get(name);
        if (before && effect === 'launch')
          add(event, keyOf(event), 'launched again while the attempt before it had no known outcome');
        open.set(name, event);
      } else if (outcome === 'unknown') open.set(name, event);
      else open.delete(name);
    }
    if (!ended) return found;
    const gone = new Set(events.filter((event) => providerFact(event) === 'absence-confirmed').map(keyOf));
    for (const event of open.values()) {
      if (!gone.has(keyOf(event))) add(event, keyOf(event), 'the outcome of this attempt was never found out');
    }
    return found;
  },
};
