import type { EventOf, RecordedEvent } from '@davit/contracts';
import type { RolloutPhase, RolloutState } from './state.js';

export type RolloutEvent = EventOf<'rollout'>;
export const isRolloutEvent = (event: RecordedEvent): event is RolloutEvent => event.type.startsWith('davit.rollout.');

/** The phase that follows, from now on. */
export const enter = (state: RolloutState, phase: RolloutPhase, event: RecordedEvent): RolloutState => ({
  ...state,
  phase,
  since: event.time,
});
