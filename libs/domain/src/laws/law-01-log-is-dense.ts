import { type Law, violations } from './violation.js';

/** Law 1, the part a log shows by itself: positions and stream versions without gap, so that every fold sees everything. */
export const law01: Law = {
  name: 'law-01-the-log-is-the-only-truth',
  check(events) {
    const { found, add } = violations(this.name);
    const versions = new Map<string, number>();
    events.forEach((event, index) => {
      if (event.position !== (events[0]?.position ?? 1) + index)
        add(event, event.stream, 'position does not follow the one before');
      const expected = (versions.get(event.stream) ?? event.version - 1) + 1;
      if (event.version !== expected) add(event, event.stream, `version ${event.version} where ${expected} was due`);
      versions.set(event.stream, event.version);
    });
    return found;
  },
};
