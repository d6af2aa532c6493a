import type { DeploymentView } from '@davit/contracts';
import { CommandError, exitCodes } from '../exit-codes.js';
import { Progress } from '../output/progress.js';
import type { Session } from '../session.js';

const LOOK_MS = 500;

export interface Wait {
  /** `<tenant>/<name>`. */
  readonly deployment: string;
  readonly timeoutSeconds: string;
  readonly isOver: (view: DeploymentView | undefined) => boolean;
  /** What is still so when the time is over. */
  readonly state: string;
}

/**
 * Shows progress until the wait is over; gives the last view and how long it took.
 * @throws CommandError once the time for waiting is over; what was asked for goes on
 */
export async function waitFor(
  session: Session,
  { deployment, timeoutSeconds, isOver, state }: Wait,
): Promise<{ readonly view: DeploymentView | undefined; readonly seconds: string }> {
  const [tenant = '', name = ''] = deployment.split('/');
  const progress = new Progress(session.out, session.json);
  const startedMs = session.nowMs();
  for (;;) {
    const seen = await Promise.all([
      session.client.deployment(tenant, name),
      session.client.replicas(deployment),
    ]).catch(whileAway(session));
    const waitedMs = session.nowMs() - startedMs;
    if (seen) {
      const [view, replicas] = seen;
      progress.show(replicas, session.nowMs());
      if (isOver(view)) return { view, seconds: (waitedMs / 1_000).toFixed(1) };
    }
    if (waitedMs >= Number(timeoutSeconds) * 1_000) {
      const text = `${name} ${state} after ${timeoutSeconds} s; it goes on. See: davit get replicas`;
      throw new CommandError(exitCodes.timedOut, text);
    }
    await session.pause(LOOK_MS);
  }
}

/** The front door may restart while somebody waits; what was asked for goes on, so waiting does too. */
const whileAway =
  (session: Session) =>
  (error: unknown): undefined => {
    if (!(error instanceof CommandError) || error.exitCode !== exitCodes.failure) throw error;
    if (!session.json) session.err.write('(the front door does not answer; looking again)\n');
  };
