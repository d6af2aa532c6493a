import { CommandError, exitCodes } from '../exit-codes.js';
import type { Session } from '../session.js';

export interface NamedOptions {
  readonly tenant: string;
}
export interface ReasonOptions {
  readonly reason: string;
}

/** Stops a rollout: what serves stays, the candidate goes. */
export async function cancel(session: Session, name: string, { tenant }: NamedOptions): Promise<void> {
  const answer = await session.client.onDeployment('cancel', {
    ...named(name, tenant),
    ...whoAsks(session),
  });
  if (answer.outcome === 'rejected') throw new CommandError(exitCodes.refused, answer.detail, { answer });
  session.print(
    answer,
    () =>
      `intent ${answer.intentId} accepted (position ${answer.position})\n${name} goes back to what revision ${answer.revision} is made of; the candidate is deleted. See: davit get replicas`,
  );
}

/** Tries again what was given up after failed starts. */
export async function retry(session: Session, name: string, { tenant }: NamedOptions): Promise<void> {
  const answer = await session.client.onDeployment('retry', {
    ...named(name, tenant),
    ...whoAsks(session),
  });
  if (answer.outcome === 'rejected') throw new CommandError(exitCodes.refused, answer.detail, { answer });
  session.print(
    answer,
    () =>
      `intent ${answer.intentId} accepted (position ${answer.position})\nwhat ${name} had given up is tried again, and may cost again. See: davit get replicas`,
  );
}

export async function thaw(session: Session, { reason }: ReasonOptions): Promise<void> {
  const answer = await session.client.thaw({ reason, ...whoAsks(session) });
  if (answer.outcome === 'rejected') throw new CommandError(exitCodes.refused, answer.detail, { answer });
  const already = answer.changed ? '' : ', it was ordered before';
  session.print(
    answer,
    () =>
      `intent ${answer.intentId} accepted (position ${answer.position})${already}\nthe fleet goes on: what is lost is given up and replaced`,
  );
}

export async function reap(session: Session, name: string, { reason }: ReasonOptions): Promise<void> {
  const orphan = await keyOf(session, name);
  const answer = await session.client.reap({ orphan, reason, ...whoAsks(session) });
  if (answer.outcome === 'rejected') throw new CommandError(exitCodes.refused, answer.detail, { answer });
  const already = answer.changed ? '' : ', it was approved before';
  session.print(
    answer,
    () =>
      `intent ${answer.intentId} accepted (position ${answer.position})${already}\n${orphan} is deleted once its quarantine is over. See: davit orphans --all`,
  );
}

/** The key itself, or the name or provider's id of exactly one orphan. */
async function keyOf(session: Session, name: string): Promise<string> {
  if (name.includes('@')) return name;
  const named = (await session.client.orphans()).filter(
    ({ externalKey, providerId }) => name === externalKey || name === providerId,
  );
  const [only] = named;
  if (only && named.length === 1) return only.key;
  const text =
    named.length === 0
      ? `error  there is no orphan "${name}".\n       Write a KEY as \`davit orphans\` shows it.`
      : `error  "${name}" names ${named.length} orphans.\n       Write one of: ${named.map(({ key }) => key).join(', ')}.`;
  throw new CommandError(exitCodes.refused, `${text}\nNothing was changed.`);
}

/** `NAME`, or `TENANT/NAME` as the tables and messages have it. */
export function named(name: string, tenant: string): { readonly name: string; readonly tenant: string } {
  const slash = name.indexOf('/');
  return slash === -1 ? { name, tenant } : { tenant: name.slice(0, slash), name: name.slice(slash + 1) };
}

const whoAsks = ({ actor }: Session): { readonly actor?: string } => (actor === undefined ? {} : { actor });
