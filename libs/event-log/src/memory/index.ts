import type { Clock, Ids } from '@davit/ports';
import { MemoryEventLog } from './memory-event-log.js';
import { MemoryLogFeed } from './memory-feed.js';
import { MemoryLeases } from './memory-leases.js';

/** A log, its leases and its feed, all in memory and on one clock. */
export function createMemoryLog({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): {
  readonly log: MemoryEventLog;
  readonly leases: MemoryLeases;
  readonly feed: MemoryLogFeed;
} {
  const leases = new MemoryLeases(clock);
  const log = new MemoryEventLog(clock, ids, leases);
  return { log, leases, feed: new MemoryLogFeed(log, clock) };
}

export { MemoryEventLog, MemoryLeases, MemoryLogFeed };
