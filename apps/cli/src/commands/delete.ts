import { CommandError, exitCodes } from '../exit-codes.js';
import { deletionText } from '../output/deletion.js';
import type { Session } from '../session.js';
import { named } from './orders.js';
import { waitFor } from './wait.js';

export interface DeleteOptions {
  readonly tenant: string;
  readonly wait?: boolean;
  /** Only show what it would do. */
  readonly plan?: boolean;
  readonly timeout: string;
}

/** Deletes a deployment; with `--wait` stays until nothing of it is left at any provider. */
export async function deleteDeployment(session: Session, name: string, options: DeleteOptions): Promise<void> {
  const { tenant } = options;
  if (options.plan === true) {
    const plan = await session.client.planDeletion(named(name, tenant));
    session.print(plan, () => `${deletionText(plan)}\nNothing was changed. Delete it with: davit delete ${name}`);
    return;
  }
  const answer = await session.client.onDeployment('delete', {
    ...named(name, tenant),
    ...(session.actor === undefined ? {} : { actor: session.actor }),
  });
  if (answer.outcome === 'rejected') throw new CommandError(exitCodes.refused, answer.detail, { answer });
  if (!session.json) session.out.write(`intent ${answer.intentId} accepted (position ${answer.position})\n`);
  if (options.wait !== true) {
    if (session.json) session.print(answer, () => '');
    return;
  }
  await waitFor(session, {
    deployment: answer.deployment,
    timeoutSeconds: options.timeout,
    isOver: (view) => view?.status === 'deleted',
    state: 'is not yet proven gone',
  });
  session.print({ ...answer, deleted: true }, () => `${name} is deleted. Nothing of it is left at any provider.`);
}
