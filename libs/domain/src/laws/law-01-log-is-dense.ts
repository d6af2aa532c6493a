import { defineLaw } from './violation.js';

/** Law 1, the part a log shows by itself: positions and stream versions without gap, so that every fold sees everything. */
export const law01 = defineLaw('law-01-the-log-is-the-only-truth', (report) => {
  const versions = new Map<string, number>();
  let due: number | undefined;
  return {
    see(event) {
      if (event.position !== (due ?? event.position))
        report(event, event.stream, `position ${event.position} where ${due ?? 0} was due`);
      due = event.position + 1;
      const expected = (versions.get(event.stream) ?? event.version - 1) + 1;
      if (event.version !== expected) report(event, event.stream, `version ${event.version} where ${expected} was due`);
      versions.set(event.stream, event.version);
    },
  };
});
