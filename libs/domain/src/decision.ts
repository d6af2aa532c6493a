import type { NewEvent } from '@davit/contracts';

/** Events for one stream; structurally a `StreamWrite` of the event log. */
export type Write = {
  readonly stream: string;
  readonly expectedVersion: number | 'any';
  readonly events: readonly [NewEvent, ...NewEvent[]];
};

/** What a decider answers: what to append now, and when to look again although nothing may have changed. */
export type Decision = { readonly writes: readonly Write[]; readonly wakeAtMs: number | null };

/** Turns events for the decider's own stream into a decision. */
export type Writer = (...events: readonly [NewEvent, ...NewEvent[]]) => Decision;

export const NOTHING: Decision = { writes: [], wakeAtMs: null };
export const waitUntil = (wakeAtMs: number): Decision => ({ writes: [], wakeAtMs });

/** The earlier of two instants, either of which may be absent. */
export const earliest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
