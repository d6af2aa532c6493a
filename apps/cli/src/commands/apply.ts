import { CommandError, exitCodes } from '../exit-codes.js';
import { readManifest } from '../manifest.js';
import { Progress, isConverged } from '../output/progress.js';
import type { Session } from '../session.js';

export interface ApplyOptions {
  readonly file: string;
  readonly wait?: boolean;
  /** Seconds. */
  readonly timeout: string;
  readonly idempotencyKey?: string;
}

const LOOK_MS = 500;

/** Declares a deployment, and with `--wait` stays until it is as declared. Closing the terminal changes nothing. */
export async function apply(session: Session, options: ApplyOptions): Promise<void> {
  const deployment = readManifest(options.file);
  const answer = await session.client.apply({
    deployment,
    ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
    ...(session.actor === undefined ? {} : { actor: session.actor }),
  });
  if (answer.outcome === 'rejected') throw new CommandError(exitCodes.badInput, answer.detail, { answer });
  const verb = answer.changed ? 'accepted' : 'accepted, nothing to change,';
  if (!session.json)
    session.out.write(
      `intent ${answer.intentId} ${verb} as revision ${answer.revision} (position ${answer.position})\n`,
    );
  if (options.wait !== true) {
    if (session.json) session.print(answer, () => '');
    return;
  }
  const [tenant = '', name = ''] = answer.deployment.split('/');
  const progress = new Progress(session.out, session.json);
  const startedMs = session.nowMs();
  for (;;) {
    const [view, replicas] = await Promise.all([
      session.client.deployment(tenant, name),
      session.client.replicas(answer.deployment),
    ]);
    progress.show(replicas, session.nowMs());
    if (isConverged(view, answer.generation)) {
      const seconds = ((session.nowMs() - startedMs) / 1_000).toFixed(1);
      session.print(
        { ...answer, converged: true, seconds: Number(seconds) },
        () => `${name} is as declared: ${view?.readyReplicas ?? 0} replicas serve, after ${seconds} s`,
      );
      return;
    }
    giveUpAfter(session, startedMs, options.timeout, `${name} is not yet as declared`);
    await session.pause(LOOK_MS);
  }
}

/** @throws CommandError once the time for waiting is over; what was asked for goes on */
export function giveUpAfter(session: Session, startedMs: number, timeoutSeconds: string, state: string): void {
  if (session.nowMs() - startedMs < Number(timeoutSeconds) * 1_000) return;
  throw new CommandError(exitCodes.timedOut, `${state} after ${timeoutSeconds} s; it goes on. See: davit get replicas`);
}
