import type { ResourceTimings } from '@davit/domain';
import { z } from 'zod';
import { durationVariable, wholeNumber } from './fields.js';

/** What a service that rents needs to know of its provider's pace, with the defaults that fit this provider. */
export const resourceVariables = (timings: ResourceTimings, concurrency: number) => ({
  /** Things that are worked on at once. */
  DAVIT_RESOURCE_CONCURRENCY: wholeNumber(1, 10_000).default(concurrency),
  /** Between two looks at a thing that starts or goes. */
  DAVIT_RESOURCE_LOOK: durationVariable(50, 600_000).default(timings.lookMs),
  /** Between two looks at a thing that serves. */
  DAVIT_RESOURCE_STEADY_LOOK: durationVariable(100, 3_600_000).default(timings.steadyLookMs),
  /** Least time between the two observations that prove absence. */
  DAVIT_ABSENCE_SPACING: durationVariable(100, 3_600_000).default(timings.absenceSpacingMs),
  /** How long after a launch the provider may not show it yet. */
  DAVIT_LAUNCH_VISIBILITY: durationVariable(100, 3_600_000).default(timings.visibilityMs),
  /** A deletion without effect for this long is asked for again. */
  DAVIT_DELETE_RETRY: durationVariable(100, 3_600_000).default(timings.deleteRetryMs),
  /** Between two inventories, which are compared with the log. */
  DAVIT_INVENTORY_EVERY: durationVariable(100, 86_400_000).default(60_000),
  /** Nothing is done to an orphan for this long: its owner may still turn up. */
  DAVIT_ORPHAN_QUARANTINE: durationVariable(100, 2_592_000_000).default(900_000),
  /** What follows the quarantine: nothing, deletion once somebody approves it, or deletion. */
  DAVIT_ORPHAN_POLICY: z.enum(['report', 'approve', 'auto']).default('approve'),
});

type Variables = z.output<z.ZodObject<ReturnType<typeof resourceVariables>>>;

/** The timings that the variables state; how long a launch may outlive its caller is for the service to say. */
export const resourceTimingsOf = (config: Variables, launchMs: number): ResourceTimings => ({
  lookMs: config.DAVIT_RESOURCE_LOOK,
  steadyLookMs: config.DAVIT_RESOURCE_STEADY_LOOK,
  absenceSpacingMs: config.DAVIT_ABSENCE_SPACING,
  visibilityMs: config.DAVIT_LAUNCH_VISIBILITY,
  launchMs,
  deleteRetryMs: config.DAVIT_DELETE_RETRY,
});

/** When inventories are taken, and what becomes of the orphans that they show. */
export const orphanRulesOf = (config: Variables) => ({
  everyMs: config.DAVIT_INVENTORY_EVERY,
  quarantineMs: config.DAVIT_ORPHAN_QUARANTINE,
  policy: config.DAVIT_ORPHAN_POLICY,
});
