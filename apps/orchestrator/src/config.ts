import { DEFAULT_REPLICA_TIMINGS } from '@davit/domain';
import { durationVariable } from '@davit/service-kit';
import { z } from 'zod';

/** Variables of orchestrator, beside the common ones. */
export const orchestratorConfig = z.object({
  /** Without an advisor's answer for this long, stock counts as unknown, which does not block. */
  DAVIT_ADVICE_DEADLINE: durationVariable(100, 600_000).default(DEFAULT_REPLICA_TIMINGS.adviceDeadlineMs),
  /** How long a replica without stock waits before it is looked at again. */
  DAVIT_DEFER: durationVariable(100, 3_600_000).default(DEFAULT_REPLICA_TIMINGS.deferMs),
});
