// Stands in for a command that supervises: starts two sleeping children, one of which starts a child of its own, and says their pids.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { RunLedger } from '../run-ledger.mjs';
import { Supervisor } from '../supervisor.mjs';

const [dir = ''] = process.argv.slice(2);
mkdirSync(dir, { recursive: true });
const ledger = new RunLedger(path.join(dir, 'run'));
const { ended } = await ledger.claim();
const supervisor = new Supervisor({ ledger, logDir: path.join(dir, 'log'), tell: () => undefined });
const sleeper = 'setInterval(() => undefined, 1e6)';
const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(sleeper)}], { detached: true }); ${sleeper}`;
for (const [name, code] of [
  ['one', sleeper],
  ['two', parent],
]) {
  await supervisor.start({
    name: name ?? '',
    argv: [process.execPath, '-e', code ?? ''],
    env: process.env,
    ready: () => true,
  });
}
process.on('SIGTERM', () => void supervisor.stopAll().then(() => process.exit(0)));
process.stdout.write(
  `${JSON.stringify({ ended, token: ledger.token, pids: [supervisor.pidOf('one'), supervisor.pidOf('two')] })}\n`,
);
setInterval(() => undefined, 1e6);
