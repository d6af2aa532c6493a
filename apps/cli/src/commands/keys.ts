import { type KeyView, type Role, ROLES } from '@davit/contracts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError, exitCodes } from '../exit-codes.js';
import { keysTable } from '../output/key-views.js';
import type { Session } from '../session.js';

interface CreateOptions {
  readonly role: Role;
  readonly tenant?: readonly string[];
  readonly allTenants?: boolean;
  readonly expires?: string;
}

/** Adds the commands over API keys. */
export function addKeys(program: Command, session: () => Session): void {
  const ofKeys = program.command('keys').description('make, show and end API keys');
  ofKeys
    .command('create')
    .description('make a key; its secret is printed once, and kept nowhere')
    .argument('<name>', 'what it is for, for example ci@search: what it does is written down under this name')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .option('--tenant <names...>', 'whose things it may see and change')
    .option('--all-tenants', 'the things of every tenant, and the fleet as a whole')
    .option('--expires <time>', 'an instant, or so long from now: 12h, 90d (default: never)')
    .action((name: string, options: CreateOptions) => createKey(session(), name, options));
  ofKeys
    .command('list')
    .description('show keys, those that open nothing any more, too')
    .action(() => listKeys(session()));
  ofKeys
    .command('rotate')
    .description('give a key another secret, printed once')
    .argument('<id>', 'its id')
    .option('--overlap <seconds>', 'the secret before it works for so long', wholeSeconds, 3_600)
    .action((id: string, { overlap }: { overlap: number }) => rotateKey(session(), id, overlap));
  ofKeys
    .command('revoke')
    .description('end a key, at once and on every instance')
    .argument('<id>', 'its id')
    .requiredOption('--reason <text>', 'why; it stays in the log')
    .action((id: string, { reason }: { reason: string }) => revokeKey(session(), id, reason));
}

async function createKey(session: Session, name: string, options: CreateOptions): Promise<void> {
  const { role, tenant, allTenants, expires } = options;
  if ((tenant === undefined) === (allTenants !== true)) {
    const message = 'error  a key is for some tenants or for all: write --tenant NAME, or --all-tenants.';
    throw new CommandError(exitCodes.badInput, `${message}\nNothing was changed.`);
  }
  const expiresAt = expires === undefined ? null : instantOf(expires, session.nowMs());
  const made = await session.client.createKey({ name, role, tenants: tenant ? [...tenant] : 'all', expiresAt });
  session.print(made, () => shown(made.key, made.secret));
}

async function listKeys(session: Session): Promise<void> {
  const keys = await session.client.keys();
  session.print(keys, () => (keys.length === 0 ? 'no keys' : keysTable(keys, session.nowMs())));
}

async function rotateKey(session: Session, id: string, overlapSeconds: number): Promise<void> {
  const made = await session.client.rotateKey(id, overlapSeconds);
  const { previousUntil } = made.key;
  const before = previousUntil === null ? 'works no more' : `works until ${previousUntil}`;
  session.print(made, () => `${shown(made.key, made.secret)}\nThe secret before it ${before}.`);
}

async function revokeKey(session: Session, id: string, reason: string): Promise<void> {
  const key = await session.client.revokeKey(id, reason);
  session.print(key, () => `key ${key.id} (${key.name}) opens nothing any more, since ${key.revokedAt ?? 'now'}`);
}

const shown = ({ id, name }: KeyView, secret: string): string =>
  `${secret}\nThis is the secret of key ${id} (${name}). It is not shown again: keep it in a file, and name that in DAVIT_API_KEY_FILE.`;

function instantOf(text: string, nowMs: number): string {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const ms = count === undefined ? Date.parse(text) : nowMs + Number(count) * (unit === 'h' ? 3_600_000 : 86_400_000);
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  const message = `error  --expires "${text}" is no time; write an instant such as 2027-01-31T00:00:00Z, or 12h, or 90d.`;
  throw new CommandError(exitCodes.badInput, `${message}\nNothing was changed.`);
}

function wholeSeconds(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a whole number of seconds, for example 3600.');
}
