import type { MirrorState } from './mirror.js';

/** Everything that decides what the relay does next. */
export interface MirrorView {
  readonly mirror: MirrorState | undefined;
  /** Position of the last event of the log, read after `mirror`, so that a healthy mirror is never ahead of it. */
  readonly head: number;
  /** Ids in the mirror and in the log at the places that were looked at; undefined in the mirror where nothing is kept. */
  readonly compared: readonly {
    readonly position: number;
    readonly mirrored: string | undefined;
    readonly logged: string | undefined;
  }[];
}

export interface MirrorPolicy {
  /** Events that a new mirror starts with; readers who need older ones take them from the log. */
  readonly refillDepth: number;
  readonly canStartAnywhere: boolean;
}

export type MirrorPlan =
  | { readonly action: 'create' }
  /** The mirror shows something that is not in the log: it belongs to another history. */
  | { readonly action: 'rebuild'; readonly reason: string }
  | { readonly action: 'start-at'; readonly position: number }
  | { readonly action: 'publish-after'; readonly position: number };

/** Decides from what is seen. Pure, so that every rival comes to the same answer. */
export function planMirror({ mirror, head, compared }: MirrorView, policy: MirrorPolicy): MirrorPlan {
  if (!mirror) return { action: 'create' };
  if (mirror.lastSequence > head) {
    return {
      action: 'rebuild',
      reason: `the mirror is at ${mirror.lastSequence}, the log at ${head}: the log was restored or is another one`,
    };
  }
  for (const { position, mirrored, logged } of compared) {
    if (mirrored !== undefined && mirrored !== logged) {
      return {
        action: 'rebuild',
        reason: `at ${position} the mirror has event ${mirrored || '(not from a relay)'}, the log ${logged ?? 'nothing'}`,
      };
    }
  }
  const oldestWanted = Math.max(1, head - policy.refillDepth + 1);
  if (policy.canStartAnywhere && mirror.lastSequence + 1 < oldestWanted) {
    return { action: 'start-at', position: oldestWanted };
  }
  return { action: 'publish-after', position: mirror.lastSequence };
}

/** Places worth comparing: the end of the mirror, and the place where an event was refused. */
export function placesToCompare(mirror: MirrorState | undefined, suspect: number | undefined): readonly number[] {
  if (!mirror || mirror.messages === 0) return [];
  const last = mirror.lastSequence;
  return suspect !== undefined && suspect < last ? [suspect, last] : [last];
}
