import { serves } from '@davit/contracts';
import { CommandError, exitCodes } from '../exit-codes.js';
import { readManifest } from '../manifest.js';
import { isConverged } from '../output/progress.js';
import type { Session } from '../session.js';
import { waitFor } from './wait.js';

export interface ApplyOptions {
  readonly file: string;
  readonly wait?: boolean;
  /** Seconds. */
  readonly timeout: string;
  readonly idempotencyKey?: string;
}

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
  const { view, seconds } = await waitFor(session, {
    deployment: answer.deployment,
    timeoutSeconds: options.timeout,
    isOver: (seen) => isConverged(seen, answer.generation),
    state: 'is not yet as declared',
  });
  session.print(
    { ...answer, converged: true, seconds: Number(seconds) },
    () => `${view?.name ?? ''} is as declared: ${serves(view?.readyReplicas ?? 0)}, after ${seconds} s`,
  );
}
