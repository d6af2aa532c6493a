import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import type { WantedAlarm } from './wanted.js';

type View = {
  readonly waiting: readonly DeploymentState[];
  readonly paused: readonly DeploymentState[];
  readonly present: readonly ReplicaState[];
  readonly patience: { readonly waitMs: number };
  readonly nowMs: number;
};

const slotOf = (deployment: string, slot: string): string => `${deployment}-${slot.replace('/', '-')}`;

/**
 * Slots that wait too long for capacity, or for room in a budget. A wait is the slot's and not a replica's: one that is refused again and again has
 * another replica each time, none of which waits for long.
 */
export function longWaits({ waiting, present, patience, nowMs }: View): readonly WantedAlarm[] {
  // What is quarantined waits for a person, which has an alarm of its own.
  const quarantined = new Set(
    present.flatMap(({ status, deployment, revision, ordinal }) =>
      status === 'quarantined' ? [slotOf(deployment, `${revision}/${ordinal}`)] : [],
    ),
  );
  return waiting.flatMap(({ key, tenant, waits }) =>
    Object.entries(waits).flatMap(([slot, { waitsFor, since, refusals }]): readonly WantedAlarm[] => {
      const about = slotOf(key, slot);
      if (nowMs - Date.parse(since) < patience.waitMs || quarantined.has(about)) return [];
      const refused = refusals === 0 ? '' : `; launches refused meanwhile: ${refusals}`;
      const detail = `waits for: ${waitsFor}, since ${since}${refused}`;
      return [{ alarm: 'waiting-long', about, tenant, severity: 'warning', detail }];
    }),
  );
}

/** Only a person ends a pause: one that lasts may have been forgotten. */
export const longPauses = ({ paused, patience, nowMs }: View): readonly WantedAlarm[] =>
  paused.flatMap(({ key, tenant, paused: pause }): readonly WantedAlarm[] => {
    if (!pause || nowMs - Date.parse(pause.since) < patience.waitMs) return [];
    const detail = `paused since ${pause.since} (${pause.reason}); nothing is healed or rolled out before \`davit resume ${key}\``;
    return [{ alarm: 'waiting-long', about: key, tenant, severity: 'warning', detail }];
  });

export const hasWaits = ({ waits }: DeploymentState): boolean => Object.keys(waits).length > 0;
