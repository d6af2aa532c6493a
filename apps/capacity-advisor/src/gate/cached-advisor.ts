import type { Placement } from '@davit/contracts';
import { canonicalJson } from '@davit/domain';
import type { Clock } from '@davit/ports';
import type { Advice, StockAdvisor } from '../advisors/advisor.js';

type Kept = { readonly advice: Promise<Advice>; untilMs: number };

/**
 * One question at a time for each placement, and answers kept for a moment, so that n replicas that look for the same
 * machine cost one question. A kept answer keeps the time of its observation.
 */
export function cachedAdvisor(advisor: StockAdvisor, clock: Clock, keepMs: number): StockAdvisor {
  const kept = new Map<string, Kept>();
  return {
    source: advisor.source,
    advise(placement) {
      const key = questionKey(placement);
      const nowMs = clock.monotonicMs();
      const known = kept.get(key);
      if (known && nowMs < known.untilMs) return known.advice;
      for (const [old, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(old);
      const entry: Kept = { advice: advisor.advise(placement), untilMs: Number.POSITIVE_INFINITY };
      kept.set(key, entry);
      return entry.advice.then((advice) => {
        entry.untilMs = clock.monotonicMs() + keepMs;
        return advice;
      });
    },
  };
}

/** What the answer depends on; a price ceiling is our own affair. */
const questionKey = ({ cloud, region, accelerator, spot }: Placement): string =>
  canonicalJson({ cloud, region, accelerator, spot });
