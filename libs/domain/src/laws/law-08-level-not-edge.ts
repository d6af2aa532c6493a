import { type Law, keyOf, providerFact, violations } from './violation.js';

/** Law 8, as a log shows it: a message that came twice left no second effect and no second statement of the same fact. */
export const law08: Law = {
  name: 'law-08-level-not-edge',
  check(events) {
    const { found, add } = violations(this.name);
    const once = new Set<string>();
    const targets = new Map<string, string>();
    for (const event of events) {
      const fact = providerFact(event);
      if (fact !== undefined && fact.endsWith('-attempted') && 'attempt' in event.data) {
        const name = `${keyOf(event)} ${fact} ${event.data.attempt}`;
        if (once.has(name)) add(event, keyOf(event), `${fact} number ${event.data.attempt} twice`);
        once.add(name);
      }
      if (event.type === 'davit.route.registered') {
        const text = JSON.stringify(event.data.target);
        if (targets.get(event.data.target.replica) === text)
          add(event, event.data.alias, 'the same target registered twice');
        targets.set(event.data.target.replica, text);
      }
      if (event.type === 'davit.route.withdrawn') {
        if (!targets.delete(event.data.replica))
          add(event, event.data.alias, 'a target withdrawn that was not registered');
      }
    }
    return found;
  },
};
