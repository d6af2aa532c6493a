import {
  DEFAULT_RESOURCE_TIMINGS,
  externalKeyPrefix,
  groupOf,
  type OrphanPolicy,
  type OrphanRules,
  type OrphanState,
  type ResourceTimings,
} from '@davit/domain';
import { jitter, type Random } from '@davit/ports';
import type { Controller } from '@davit/reconcile';
import type { ProviderBackend } from '../backend.js';
import type { BackendRegistry } from '../registry.js';
import { Look } from './look.js';
import { LookSchedule } from './schedule.js';
import { tellReadable, tellUnreadable } from './unreadable.js';

export interface InventoryControllerOptions {
  /** Name of the controller in metrics and leases. Default `inventory`. */
  readonly name?: string;
  readonly backends: BackendRegistry;
  /** Only names that begin as those of this installation are looked at. */
  readonly installation: string;
  readonly random: Random;
  readonly timings?: ResourceTimings;
  readonly rules?: InventoryRules;
}

export interface InventoryRules {
  /** Between two inventories, spread by a fifth. */
  readonly everyMs: number;
  readonly quarantineMs: number;
  readonly policy: OrphanPolicy;
}

export const DEFAULT_INVENTORY_RULES: InventoryRules = { everyMs: 60_000, quarantineMs: 900_000, policy: 'approve' };

/** So many inventories in a row without an answer raise an alarm. */
const UNREADABLE_LOOKS = 5;

/**
 * Compares what each provider holds with what the log says, from the provider's side: a sweeper that asks its own records
 * what to look for is blind to what they lack. One key for each backend; its lease keeps two sweepers apart.
 */
export function inventoryController(options: InventoryControllerOptions): Controller {
  const {
    backends,
    installation,
    random,
    timings = DEFAULT_RESOURCE_TIMINGS,
    rules = DEFAULT_INVENTORY_RULES,
  } = options;
  const prefix = externalKeyPrefix(installation);
  const adapters = backends.adapters.filter((adapter) => backends.get(adapter)?.releases !== true);
  const schedules = new Map<string, LookSchedule>();
  const leastGapMs = Math.min(rules.everyMs, timings.absenceSpacingMs);
  const scheduleOf = (adapter: string): LookSchedule => {
    const schedule = schedules.get(adapter) ?? new LookSchedule(leastGapMs);
    schedules.set(adapter, schedule);
    return schedule;
  };
  return {
    name: options.name ?? 'inventory',
    standingKeys: adapters,
    keysOf: ({ kind }, document) =>
      adapters.filter((adapter) => kind === 'orphan' && document?.['adapter'] === adapter),
    async reconcile(context) {
      const backend = backends.get(context.key);
      if (!backend) return {};
      const schedule = scheduleOf(context.key);
      const orphanRules = rulesFor(backend, rules, timings);
      const stored = await context.model.list<OrphanState>('orphan', groupOf.openOrphans(backend.adapter));
      const orphans = stored.map(({ document }) => document);
      const nowMs = context.nowMs();
      const dueMs = schedule.dueMs(orphans, orphanRules);
      if (nowMs < dueMs) return { requeueAfterMs: dueMs - nowMs };

      schedule.looked(nowMs, jitter(random, rules.everyMs));
      const look = new Look({ context, backend, orphans, rules: orphanRules, schedule });
      const seen = await look.take(prefix);
      if (seen.outcome === 'unknown') {
        const sinceMs = schedule.unreadable(nowMs);
        if (nowMs - sinceMs >= rules.everyMs * UNREADABLE_LOOKS) {
          await tellUnreadable(context, backend.adapter, sinceMs, seen.detail);
        }
      } else {
        await tellReadable(context, backend.adapter);
        await look.compare(seen);
      }
      return { requeueAfterMs: Math.max(leastGapMs, schedule.dueMs(orphans, orphanRules) - context.nowMs()) };
    },
  };
}

/** What cannot be ended through the backend is only reported. */
const rulesFor = (backend: ProviderBackend, rules: InventoryRules, timings: ResourceTimings): OrphanRules => ({
  policy: backend.reap ? rules.policy : 'report',
  quarantineMs: rules.quarantineMs,
  youngMs: timings.visibilityMs,
  absenceSpacingMs: timings.absenceSpacingMs,
  deleteRetryMs: timings.deleteRetryMs,
});
