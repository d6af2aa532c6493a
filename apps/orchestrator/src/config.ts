import { DEFAULT_LOSS_LIMITS, DEFAULT_REPLICA_TIMINGS, type LossLimits } from '@davit/domain';
import { durationVariable, shareVariable, wholeNumber } from '@davit/service-kit';
import { z } from 'zod';

/** Variables of orchestrator, beside the common ones. */
export const orchestratorConfig = z.object({
  /** Without an advisor's answer for this long, stock counts as unknown, which does not block. */
  DAVIT_ADVICE_DEADLINE: durationVariable(100, 600_000).default(DEFAULT_REPLICA_TIMINGS.adviceDeadlineMs),
  /** How long a replica without stock waits before it is looked at again. */
  DAVIT_DEFER: durationVariable(100, 3_600_000).default(DEFAULT_REPLICA_TIMINGS.deferMs),
  /** Serving replicas that are given up, or fall ill, closer together than this count together. */
  DAVIT_LOSS_INTERVAL: durationVariable(1_000, 3_600_000).default(DEFAULT_LOSS_LIMITS.intervalMs),
  /** So many of them are always believed, however small the fleet. */
  DAVIT_LOSS_FLOOR: wholeNumber(1, 100_000).default(DEFAULT_LOSS_LIMITS.floor),
  /** More than this share of the fleet in one interval, and the fleet is frozen: the observer may be what is ill. */
  DAVIT_LOSS_SHARE: shareVariable(0, 1).default(DEFAULT_LOSS_LIMITS.share),
  /** Before a replica of a fleet large enough to freeze is given up, the others get this long to fall ill beside it. */
  DAVIT_LOSS_SETTLE: durationVariable(0, 600_000).default(DEFAULT_LOSS_LIMITS.settleMs),
  /** A freeze ends after this long even when nothing changed. */
  DAVIT_FREEZE_LIMIT: durationVariable(1_000, 86_400_000).default(DEFAULT_LOSS_LIMITS.freezeLimitMs),
});

export const lossLimitsOf = (config: z.output<typeof orchestratorConfig>): LossLimits => ({
  intervalMs: config.DAVIT_LOSS_INTERVAL,
  floor: config.DAVIT_LOSS_FLOOR,
  share: config.DAVIT_LOSS_SHARE,
  settleMs: config.DAVIT_LOSS_SETTLE,
  freezeLimitMs: config.DAVIT_FREEZE_LIMIT,
});
