import type { RecordedEvent } from '@davit/contracts';
import type { ViewedLog } from './asking.js';
import type { Principal } from './principal.js';
import { visibleTo } from './visible.js';

const PAGE = 1_000;

/** The log without what other tenants wrote: pages are as full as they would be in a log that never held it. */
export function tenantLog(log: ViewedLog, principal: Pick<Principal, 'tenants'>): ViewedLog {
  if (principal.tenants === 'all') return log;
  const isVisible = visibleTo(principal);
  return {
    head: () => log.head(),
    async read(afterPosition, limit) {
      const found: RecordedEvent[] = [];
      for (let after = afterPosition; found.length < limit;) {
        const page = await log.read(after, PAGE);
        const last = page.at(-1);
        if (!last) break;
        found.push(...page.filter(isVisible));
        after = last.position;
      }
      return found.slice(0, limit);
    },
    async readStream(stream, afterVersion = 0, part) {
      const found: RecordedEvent[] = [];
      for (let after = afterVersion; ;) {
        const page = await log.readStream(stream, after, part);
        const last = page.at(-1);
        found.push(...page.filter(isVisible));
        if (!part || !last || page.length < part.limit || found.length >= part.limit) break;
        after = last.version;
      }
      return part ? found.slice(0, part.limit) : found;
    },
  };
}
