import { counted } from '@davit/contracts';
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
  conclude(
    session,
    answer,
    ({ revision }) =>
      `${name} goes back to what revision ${revision} is made of; the candidate is deleted. See: davit get replicas`,
  );
}

/** Tries again what was given up after failed starts. */
export async function retry(session: Session, name: string, { tenant }: NamedOptions): Promise<void> {
  const answer = await session.client.onDeployment('retry', {
    ...named(name, tenant),
    ...whoAsks(session),
  });
  conclude(
    session,
    answer,
    () => `what ${name} had given up is tried again, and may cost again. See: davit get replicas`,
  );
}

/** Another number of replicas; the specification stays as it was declared otherwise. */
export async function scale(session: Session, name: string, replicas: number, { tenant }: NamedOptions): Promise<void> {
  const body = { ...named(name, tenant), ...whoAsks(session), replicas };
  const answer = await session.client.onDeployment('scale', body);
  conclude(
    session,
    answer,
    ({ generation }) =>
      `${name} is to have ${counted(replicas, 'replica')} (generation ${generation}). See: davit get deployments --watch`,
    ', it already was so',
  );
}

/** What serves stays, and nothing is started, replaced or deleted. */
export async function pause(
  session: Session,
  name: string,
  { tenant, reason }: NamedOptions & ReasonOptions,
): Promise<void> {
  const body = { ...named(name, tenant), ...whoAsks(session), reason };
  const answer = await session.client.onDeployment('pause', body);
  conclude(
    session,
    answer,
    () =>
      `what serves of ${name} stays; nothing is started, replaced or deleted, dead replicas among it. ` +
      `Go on with: davit resume ${name}`,
    ', it was paused before',
  );
}

/** Ends a pause. */
export async function resume(session: Session, name: string, { tenant }: NamedOptions): Promise<void> {
  const answer = await session.client.onDeployment('resume', { ...named(name, tenant), ...whoAsks(session) });
  conclude(
    session,
    answer,
    () => `${name} goes on: what is missing is started. See: davit get replicas`,
    ', it was not paused',
  );
}

export async function thaw(session: Session, { reason }: ReasonOptions): Promise<void> {
  const answer = await session.client.thaw({ reason, ...whoAsks(session) });
  conclude(
    session,
    answer,
    () => 'the fleet goes on: what is lost is given up and replaced',
    ', it was ordered before',
  );
}

export async function reap(session: Session, name: string, { reason }: ReasonOptions): Promise<void> {
  const orphan = await keyOf(session, name);
  const answer = await session.client.reap({ orphan, reason, ...whoAsks(session) });
  conclude(
    session,
    answer,
    () => `${orphan} is deleted once its quarantine is over. See: davit orphans --all`,
    ', it was approved before',
  );
}

type Answer =
  | { readonly outcome: 'rejected'; readonly detail: string }
  | { readonly outcome: 'accepted'; readonly intentId: string; readonly position: number; readonly changed: boolean };

/** Tells what an accepted order leads to, and what is added where it changed nothing; a refused one ends the command. */
export function conclude<Given extends Answer>(
  session: Session,
  answer: Given,
  follows: (accepted: Extract<Given, { outcome: 'accepted' }>) => string,
  unchanged = '',
): void {
  if (answer.outcome === 'rejected') throw new CommandError(exitCodes.refused, answer.detail, { answer });
  const accepted = answer as Extract<Given, { outcome: 'accepted' }>; // the other outcome has just been thrown
  const already = accepted.changed ? '' : unchanged;
  session.print(
    answer,
    () => `intent ${accepted.intentId} accepted (position ${accepted.position})${already}\n${follows(accepted)}`,
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

export const whoAsks = ({ actor }: Session): { readonly actor?: string } => (actor === undefined ? {} : { actor });
