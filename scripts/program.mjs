#!/usr/bin/env node
import { existsSync } from 'node:fs';
import path from 'node:path';
import { prepare } from './lib/build.mjs';
import { runNode } from './lib/run-node.mjs';
import { repoRoot } from './lib/paths.mjs';
import { SetupError, runCommand } from './lib/say.mjs';

/** Installs and compiles what is missing, then runs one compiled program under `test` with the arguments that follow its name. */
await runCommand(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  const program = path.join(repoRoot, 'test', name);
  await prepare();
  if (name === '' || !existsSync(program)) throw new SetupError('no-such-program', `There is no program test/${name}.`);
  return await runNode([program, ...args], { stdout: 'inherit' });
});
