import { CommandError, exitCodes } from '../exit-codes.js';
import { rolloutText, rolloutsTable } from '../output/rollout-views.js';
import type { Session } from '../session.js';
import { conclude, whoAsks } from './orders.js';

export interface RolloutsOptions {
  readonly deployment?: string;
  readonly all?: boolean;
}
export interface ApproveOptions {
  readonly reason: string;
  readonly evidence?: string;
  readonly reject?: boolean;
  readonly abort?: boolean;
}

export async function rollouts(session: Session, options: RolloutsOptions): Promise<void> {
  const rows = await session.client.rollouts(options.deployment, options.all);
  await session.printAged(rows, (nowMs) => (rows.length === 0 ? 'no rollouts' : rolloutsTable(rows, nowMs)));
}

export async function rollout(session: Session, id: string): Promise<void> {
  const row = await session.client.rollout(qualified(id));
  await session.printAged(row, (nowMs) => rolloutText(row, nowMs));
}

/** An operator's word. Without `--evidence` it is said of what waits now, which is told in the answer. */
export async function approve(session: Session, name: string, options: ApproveOptions): Promise<void> {
  const { reason, reject = false, abort = false } = options;
  if (reject && abort) {
    throw new CommandError(exitCodes.badInput, 'error  --reject and --abort are two words.\n       Write one of them.');
  }
  const id = qualified(name);
  const verb = abort ? 'abort' : reject ? 'reject' : 'approve';
  const evidenceDigest = options.evidence ?? (abort ? undefined : await waitingOf(session, id));
  const about = evidenceDigest === undefined ? {} : { evidenceDigest };
  const answer = await session.client.onRollout(verb, { rollout: id, reason, ...about, ...whoAsks(session) });
  const on = evidenceDigest === undefined ? '' : ` on evidence ${evidenceDigest}`;
  conclude(session, answer, () => `${FOLLOWS[verb](id)}${on}. See: davit get rollout ${id}`, ', it was said before');
}

const FOLLOWS = {
  approve: (id: string) => `rollout ${id} goes on to production`,
  reject: (id: string) => `rollout ${id} is over, production untouched`,
  abort: (id: string) => `rollout ${id} stops, and takes back what it changed`,
} as const;

async function waitingOf(session: Session, id: string): Promise<string> {
  const { waiting, phase, outcome } = await session.client.rollout(id);
  if (waiting) return waiting.evidenceDigest;
  const text = `error  rollout ${id} waits for no word: it is ${outcome ?? phase}.\n       See \`davit rollouts\`.`;
  throw new CommandError(exitCodes.refused, `${text}\nNothing was changed.`);
}

/** Without a tenant, it is one of the default tenant. */
export const qualified = (id: string): string => (id.includes('/') ? id : `default/${id}`);
