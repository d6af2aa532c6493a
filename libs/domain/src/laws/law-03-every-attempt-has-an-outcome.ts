import { attemptStep, defineLaw, keyOf, providerFact } from './violation.js';

/** Law 3: each attempt ends in accepted, refused or unknown; a launch left unknown is resolved before the end. */
export const law03 = defineLaw('law-03-every-attempt-has-an-outcome', (report) => {
  const open = { launch: new Map<string, number>(), delete: new Map<string, number>() };
  return {
    see(event) {
      const fact = providerFact(event);
      if (fact === undefined) return;
      const key = keyOf(event);
      if (fact === 'absence-confirmed' || fact === 'orphan-cleared') {
        open.launch.delete(key);
        open.delete.delete(key);
      }
      const step = attemptStep(event);
      if (!step) return;
      const unresolved = open[step.effect];
      const before = unresolved.get(key);
      if (step.outcome === 'attempted') {
        if (before !== undefined && step.effect === 'launch')
          report(event, key, 'launched again while the attempt before it had no known outcome', [before]);
        unresolved.set(key, event.position);
      } else if (step.outcome === 'unknown') unresolved.set(key, event.position);
      else unresolved.delete(key);
    },
    end(ended) {
      if (!ended) return;
      for (const unresolved of [open.launch, open.delete])
        for (const [key, position] of unresolved)
          report({ position }, key, 'the outcome of this attempt was never found out');
    },
  };
});
