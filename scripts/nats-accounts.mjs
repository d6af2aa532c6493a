#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { natsAccounts, passwordsIn } from './lib/nats-accounts.mjs';
import { repoRoot } from './lib/paths.mjs';
import { SetupError, runCommand, say } from './lib/say.mjs';

const FILE = path.join('deploy', 'nats', 'accounts.conf');

/** Writes the accounts of the broker: those of the services, and one for each tenant that is named. */
await runCommand(async () => {
  const tenants = process.argv.slice(2);
  const wrong = tenants.find((tenant) => !/^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/.test(tenant));
  if (wrong !== undefined)
    throw new SetupError('bad-tenant', `"${wrong}" is no tenant. Write lower-case letters, digits and hyphens.`);
  const accounts = natsAccounts([...new Set(tenants)].sort());
  writeFileSync(path.join(repoRoot, FILE), accounts);
  say(FILE);
  say(`The server's environment has to hold: ${passwordsIn(accounts).join(', ')}`);
});
