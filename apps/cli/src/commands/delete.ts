import { CommandError, exitCodes } from '../exit-codes.js';
import { Progress } from '../output/progress.js';
import type { Session } from '../session.js';
import { giveUpAfter } from './apply.js';

export interface DeleteOptions {
  readonly tenant: string;
  readonly wait?: boolean;
  readonly timeout: string;
}

/** Deletes a deployment; with `--wait` stays until nothing of it is left at any provider. */
export async function deleteDeployment(session: Session, name: string, options: DeleteOptions): Promise<void> {
  const { tenant } = options;
  const answer = await session.client.delete({
    name,
    tenant,
    ...(session.actor === undefined ? {} : { actor: session.actor }),
  });
  if (answer.outcome === 'rejected') throw new CommandError(exitCodes.refused, answer.detail, { answer });
  if (!session.json) session.out.write(`intent ${answer.intentId} accepted (position ${answer.position})\n`);
  if (options.wait !== true) {
    if (session.json) session.print(answer, () => '');
    return;
  }
  const progress = new Progress(session.out, session.json);
  const startedMs = session.nowMs();
  for (;;) {
    const [view, replicas] = await Promise.all([
      session.client.deployment(tenant, name),
      session.client.replicas(answer.deployment),
    ]);
    progress.show(replicas, session.nowMs());
    if (view?.status === 'deleted') {
      session.print(
        { ...answer, deleted: true },
        () => `${name} is deleted. Nothing that was rented for it is left at any provider.`,
      );
      return;
    }
    giveUpAfter(session, startedMs, options.timeout, `${name} is not yet proven gone`);
    await session.pause(500);
  }
}
