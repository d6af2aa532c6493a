import { type ReplicaState, isGone, isLive } from '../lifecycle/state.js';
import type { HeldSlot } from './slots.js';

/** Where there is no spare capacity: for how many more replicas of the new revision there is a machine. */
export type Room = {
  readonly places: number;
  /** The old replica that is to go so that there will be one, if it is time. */
  readonly evict: ReplicaState | undefined;
  /** Whose machines are waited for. */
  readonly occupant: ReplicaState | undefined;
};

export const UNLIMITED: Room = { places: Infinity, evict: undefined, occupant: undefined };

/**
 * Without spare capacity the old revision gives up a machine for each that the new one gets, lowest ordinal first and one at a
 * time. Every old or dying replica takes a place until it is proven gone.
 */
export function roomIn(desired: number, current: readonly ReplicaState[], older: readonly ReplicaState[]): Room {
  const occupants = older.filter((replica) => !isGone(replica));
  const [occupant] = occupants;
  if (!occupant) return UNLIMITED;
  const places = Math.max(0, desired - occupants.length - current.length);
  const settled =
    occupants.every(isLive) && current.every(({ status, route }) => status === 'ready' && route.registered);
  const evict = places === 0 && settled ? occupants.reduce((a, b) => (b.ordinal < a.ordinal ? b : a)) : undefined;
  return { places, evict, occupant };
}

/** The slot waits until an old machine is proven gone. */
export function makingRoom(revision: number, ordinal: number, { occupant }: Room, nowMs: number): HeldSlot {
  const message = `replica ${ordinal} waits for the room of revision ${occupant?.revision ?? 0}, which is emptied one by one`;
  const since = occupant?.since ?? new Date(nowMs).toISOString();
  const next = 'an old replica is proven gone';
  return { revision, ordinal, reason: 'making-room', since, deadline: null, next, message };
}
