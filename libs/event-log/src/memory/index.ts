import type { Clock, Ids } from '@davit/ports';
import { MemoryEventLog } from './memory-event-log.js';
import { MemoryEvidence } from './memory-evidence.js';
import { MemoryLogFeed } from './memory-feed.js';
import { MemoryLeases } from './memory-leases.js';

/** A log, its leases, its feed and its evidence, all in memory and on one clock. */
export function createMemoryLog({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): {
  readonly log: MemoryEventLog;
  readonly leases: MemoryLeases;
  readonly feed: MemoryLogFeed;
  readonly evidence: MemoryEvidence;
} {
  const leases = new MemoryLeases(clock);
  const log = new MemoryEventLog(clock, ids, leases);
  return { log, leases, feed: new MemoryLogFeed(log, clock), evidence: new MemoryEvidence() };
}

export { MemoryEventLog, MemoryEvidence, MemoryLeases, MemoryLogFeed };
