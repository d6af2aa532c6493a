import type { Bus } from '../connection.js';

export type StartingPoint =
  | { readonly kind: 'start'; readonly sequence: number; readonly skipped: number; readonly created: string }
  /** The stream was wiped or rolled back and has not caught up yet. */
  | { readonly kind: 'behind'; readonly lastSequence: number; readonly created: string };

/** Where a reader that has taken everything up to `position` goes on. @throws when the stream does not exist */
export async function startingPoint(bus: Bus, stream: string, position: number): Promise<StartingPoint> {
  const manager = await bus.connection.jetstreamManager({ checkAPI: false });
  const { state, created } = await manager.streams.info(stream);
  if (state.last_seq < position) return { kind: 'behind', lastSequence: state.last_seq, created: created };
  const wanted = position + 1;
  const sequence = Math.max(wanted, state.first_seq);
  return { kind: 'start', sequence, skipped: sequence - wanted, created: created };
}
