import type { RecordedEvent } from '@davit/contracts';
import { type Clock, sleep } from '@davit/ports';
import type { FeedSubscription, LogFeed } from '../event-log.js';
import type { MemoryEventLog } from './memory-event-log.js';

const PAGE = 500;
const RETRY_MS = 1_000;

/** Delivers from a log in memory, complete and in order. A page whose handler fails comes again after a second. */
export class MemoryLogFeed implements LogFeed {
  constructor(
    private readonly log: MemoryEventLog,
    private readonly clock: Clock,
  ) {}

  subscribe(afterPosition: number, onEvents: (events: readonly RecordedEvent[]) => Promise<void>): FeedSubscription {
    const stopping = new AbortController();
    let grown: () => void = () => undefined;
    const unlisten = this.log.onAppended(() => grown());
    const growth = (): Promise<void> => new Promise((resolve) => (grown = resolve));

    const deliver = async (): Promise<void> => {
      let position = afterPosition;
      while (!stopping.signal.aborted) {
        // Asked for before reading, so that an append in between is not missed.
        const next = growth();
        if (this.log.size <= position) {
          await next;
          continue;
        }
        const events = await this.log.read(position, PAGE);
        const last = events.at(-1);
        if (!last) continue;
        try {
          await onEvents(events);
          position = last.position;
        } catch {
          await sleep(this.clock, RETRY_MS, stopping.signal);
        }
      }
    };
    const delivery = deliver();
    return {
      stop: async () => {
        stopping.abort();
        unlisten();
        grown();
        await delivery;
      },
    };
  }
}
