import type { DeploymentSpec } from '@davit/contracts';

/** Time a GiB of weights may take to be fetched and loaded: about 85 MB/s, which slow hosts reach. */
const MS_PER_GIB = 12_500;
const CAP_FACTOR = 3;
const SHORTEST_STEP_MS = 60_000;
const DEFAULT_MAX_FAILED_STARTS = 5;

export type StartTimes = {
  /** From the wish to launch to the first deadline: the declared one, longer for a large model. */
  readonly deadlineMs: number;
  /** From the wish to launch to the moment beyond which no progress helps. */
  readonly capMs: number;
  /** Progress this recent moves a passed deadline, and by so much. */
  readonly stepMs: number;
};

/** How long a start may take. Health and idle deadlines are other ones: they begin with the first ready. */
export function startTimesOf({ readiness, model }: DeploymentSpec): StartTimes {
  const { startDeadlineMs, startDeadlineCapMs = CAP_FACTOR * startDeadlineMs } = readiness;
  const deadlineMs = Math.min(startDeadlineMs + Math.round((model.sizeGiB ?? 0) * MS_PER_GIB), startDeadlineCapMs);
  const stepMs = Math.min(startDeadlineMs, Math.max(SHORTEST_STEP_MS, Math.round(startDeadlineMs / 4)));
  return { deadlineMs, capMs: startDeadlineCapMs, stepMs };
}

export const maxFailedStartsOf = ({ readiness }: DeploymentSpec): number =>
  readiness.maxFailedStarts ?? DEFAULT_MAX_FAILED_STARTS;
