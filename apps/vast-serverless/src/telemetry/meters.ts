import type { RecordedEvent } from '@davit/contracts';
import { evolveRollout, type RolloutState } from '@davit/domain';
import type { Metrics } from '@davit/service-kit';
import { type OPEN_PHASES, OUTCOMES, PHASE_SECONDS, ROLLOUTS_ENDED, VERDICTS_REACHED } from './definitions.js';

/** Told what this instance wrote of a rollout, in order; the rollout is as it was before, undefined for one that begins. */
export type RolloutMeters = (rollout: RolloutState | undefined, events: readonly RecordedEvent[]) => void;

type Phase = (typeof OPEN_PHASES)[number];
type Outcome = (typeof OUTCOMES)[number];

/** Series that exist from the start: no verdict, no end. */
export function rolloutMeters(metrics: Metrics): RolloutMeters {
  const stays = metrics.histogram(PHASE_SECONDS);
  const verdicts = metrics.counter(VERDICTS_REACHED);
  const ends = metrics.counter(ROLLOUTS_ENDED);
  return (rollout, events) => {
    for (const event of events) {
      if (event.type === 'davit.rollout.verdict-reached') verdicts.inc({ verdict: event.data.verdict });
      const outcome = outcomeOf(event);
      if (outcome) ends.inc({ outcome });
    }
    for (const { phase, seconds } of staysIn(rollout, events)) stays.observe({ phase }, seconds);
  };
}

function outcomeOf({ type }: RecordedEvent): Outcome | undefined {
  return OUTCOMES.find((outcome) => type === `davit.rollout.${outcome}`);
}

export interface Stay {
  readonly phase: Phase;
  readonly seconds: number;
}

/** The phases that a rollout leaves by these events, with the time that it was in each. */
export function staysIn(rollout: RolloutState | undefined, events: readonly RecordedEvent[]): readonly Stay[] {
  const stays: Stay[] = [];
  let state = rollout;
  for (const event of events) {
    const next = evolveRollout(state, event);
    const phase = state?.phase.name;
    if (state && phase !== undefined && phase !== 'over' && next?.phase.name !== phase) {
      const seconds = Math.max(0, Date.parse(event.time) - Date.parse(state.since)) / 1_000;
      stays.push({ phase, seconds });
    }
    state = next;
  }
  return stays;
}
