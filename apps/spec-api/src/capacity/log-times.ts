import type { RecordedEvent } from '@davit/contracts';

export type Timed = Pick<RecordedEvent, 'position' | 'time'>;
/** Of a log, the times of its events. */
export interface Times {
  read(afterPosition: number, limit: number): Promise<readonly Timed[]>;
}

/** A place in the log that belongs to a time, and whether the log's clock went back on the way there. */
export interface Place {
  /** Position of the first event at or after the time; one past the head where there is none. */
  readonly position: number;
  /** False when a later event was found to have an earlier time: then there is more than one such place. */
  readonly ordered: boolean;
}

/**
 * The first event at or after a time, by halving: the log is read at about 30 places however long it is. Times are those of
 * the database at the append, and events of one append have the same; only a clock that was set back breaks their order.
 */
export async function placeOf(log: Times, timeMs: number, head: number): Promise<Place> {
  const probes: { readonly position: number; readonly ms: number }[] = [];
  let before = 0;
  let after = head + 1;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const [event] = await log.read(middle - 1, 1);
    if (!event) {
      after = middle;
      continue;
    }
    const ms = Date.parse(event.time);
    probes.push({ position: middle, ms });
    if (ms >= timeMs) after = middle;
    else before = middle;
  }
  const sorted = probes.toSorted((a, b) => a.position - b.position);
  const ordered = sorted.every(({ ms }, index) => ms >= (sorted[index - 1]?.ms ?? ms));
  return { position: after, ordered };
}
