import type { RecordedEvent } from '@davit/contracts';
import { isOrphanStream } from '../lifecycle/evolve-orphan.js';
import { attemptStep, defineLaw, keyOf, providerFact } from './violation.js';

/** Law 8, as a log shows it: a message that came twice left no second effect and no second statement of the same fact. */
export const law08 = defineLaw('law-08-level-not-edge', (report) => {
  /** Highest attempt since the effect was last asked for, by owner (or key, without one) and effect. */
  const attempts = new Map<string, number>();
  const targets = new Map<string, string>();
  /** What is said of the orphans that are known. */
  const orphans = new Map<string, string>();

  function seeProvider(event: RecordedEvent, fact: string): void {
    const key = keyOf(event);
    if (fact === 'orphan-found') {
      const text = JSON.stringify(event.data);
      if (orphans.get(key) === text) report(event, key, 'the same orphan found twice');
      orphans.set(key, text);
    }
    if (fact === 'orphan-cleared' && !orphans.delete(key)) report(event, key, 'an orphan cleared that was not known');
    if (fact === 'absence-confirmed') orphans.delete(key);
    const step = attemptStep(event);
    if (step?.outcome !== 'attempted') return;
    const owner = 'replicaId' in event.data && !isOrphanStream(event.stream) ? event.data.replicaId : null;
    const name = `${owner ?? key} ${step.effect}`;
    if (step.attempt <= (attempts.get(name) ?? 0)) report(event, key, `${fact} number ${step.attempt} twice`);
    attempts.set(name, step.attempt);
  }

  return {
    see(event) {
      const fact = providerFact(event);
      if (fact !== undefined) seeProvider(event, fact);
      // A thing that comes back after it was gone is deleted anew, and its attempts are counted anew.
      if (event.type === 'davit.replica.delete-requested') attempts.delete(`${event.data.replicaId} delete`);
      if (event.type === 'davit.route.registered') {
        const { alias, target } = event.data;
        const key = `${alias} ${target.replica}`;
        // A number or a price of its own makes no other target.
        const text = JSON.stringify({ ...target, generation: undefined, price: undefined });
        if (targets.get(key) === text) report(event, alias, 'the same target registered twice');
        targets.set(key, text);
      }
      if (event.type === 'davit.route.withdrawn' && !targets.delete(`${event.data.alias} ${event.data.replica}`))
        report(event, event.data.alias, 'a target withdrawn that was not registered');
    },
  };
});
