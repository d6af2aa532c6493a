import { isOver, type RolloutState } from '../rollout/state.js';
import type { WantedAlarm } from './wanted.js';

/** Asked so often, a way back is not merely slow. */
const ATTEMPTS = 3;

/**
 * Ways back that are asked for again and again because nothing proves them done. They are never given up, and never called done; but whether
 * the provider shows too little or does too little, only a person can find out.
 */
export const stuckRollbacks = ({ rollouts }: { readonly rollouts: readonly RolloutState[] }): readonly WantedAlarm[] =>
  rollouts
    .filter((rollout) => !isOver(rollout))
    .flatMap(({ id, tenant, phase }): readonly WantedAlarm[] => {
      if (phase.name !== 'rolling-back' || phase.observed !== null || phase.rollback.attempt < ATTEMPTS) return [];
      const { reason, takenBackAt, rollback } = phase;
      const detail = `on its way back since ${takenBackAt} (${reason}), asked for ${rollback.attempt} times, and not proven to be back; it is asked for again`;
      return [{ alarm: 'rollback-stuck', about: id, tenant, severity: 'critical', detail }];
    });
