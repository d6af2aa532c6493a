import { isOrphanStream } from '../lifecycle/evolve-orphan.js';
import { Reaping } from './reaping.js';
import { rolloutIntents } from './rollout-rules.js';
import { attemptStep, defineLaw, keyOf } from './violation.js';

/**
 * Law 2: no effect before an event with its external key, and no outcome without the attempt it belongs to. For an orphan
 * that event is its finding with the policy `auto`, once the quarantine is over, or an operator's approval.
 */
export const law02 = defineLaw('law-02-intent-before-effect', (report, { clockSkewMs }) => {
  const requested = new Set<string>();
  const reaping = new Reaping();
  /** Highest attempt, by key and effect. */
  const attempts = new Map<string, number>();
  const rollouts = rolloutIntents(report);
  return {
    see(event) {
      rollouts.see(event);
      if (event.type === 'davit.rollout.canary-requested') requested.add(event.data.externalKey);
      if (event.type === 'davit.replica.requested') requested.add(event.data.externalKey);
      reaping.see(event);
      const step = attemptStep(event);
      if (!step) return;
      const key = keyOf(event);
      const name = `${key} ${step.effect}`;
      if (step.outcome !== 'attempted') {
        if (step.attempt > (attempts.get(name) ?? 0))
          report(event, key, `${step.effect}-${step.outcome} without an attempt before it`);
        return;
      }
      attempts.set(name, step.attempt);
      if (!isOrphanStream(event.stream)) {
        if (!requested.has(key)) report(event, key, `${step.effect} attempted for a key that nobody requested`);
        return;
      }
      const objection =
        step.effect === 'launch'
          ? { text: 'launched under the name of an orphan', evidence: [] }
          : reaping.objection(event, clockSkewMs);
      if (objection) report(event, key, objection.text, objection.evidence);
    },
  };
});
