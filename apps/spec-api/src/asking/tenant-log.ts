import type { RecordedEvent } from '@davit/contracts';
import type { EventSight } from '@davit/domain';
import type { ViewedLog } from './asking.js';

const PAGE = 1_000;

/** The log without what other tenants wrote: pages are as full as they would be in a log that never held it. */
export function tenantLog(log: ViewedLog, sight: EventSight): ViewedLog {
  if (sight.isWhole) return log;
  const seen = (page: readonly RecordedEvent[]): readonly RecordedEvent[] =>
    page.flatMap((event) => sight.of(event) ?? []);
  return {
    head: () => log.head(),
    async read(afterPosition, limit) {
      const found: RecordedEvent[] = [];
      for (let after = afterPosition; found.length < limit;) {
        const page = await log.read(after, PAGE);
        const last = page.at(-1);
        if (!last) break;
        found.push(...seen(page));
        after = last.position;
      }
      return found.slice(0, limit);
    },
    async readStream(stream, afterVersion = 0, part) {
      const found: RecordedEvent[] = [];
      for (let after = afterVersion; ;) {
        const page = await log.readStream(stream, after, part);
        const last = page.at(-1);
        found.push(...seen(page));
        if (!part || !last || page.length < part.limit || found.length >= part.limit) break;
        after = last.version;
      }
      return part ? found.slice(0, part.limit) : found;
    },
  };
}
