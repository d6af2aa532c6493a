#!/usr/bin/env node
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './lib/build.mjs';
import { repoRoot } from './lib/paths.mjs';
import { SetupError, runCommand } from './lib/say.mjs';
import { startSystem } from './lib/system.mjs';

await runCommand(async () => {
  await prepare();
  const scenario = path.join(repoRoot, 'test', 'e2e', 'dist', 'vast', 'demo.js');
  if (!existsSync(scenario))
    throw new SetupError(
      'not-built',
      `${path.relative(repoRoot, scenario)} is missing. Compile the sources with: npm run build`,
    );
  const { runVastDemo } = await import(pathToFileURL(scenario).href);
  return runVastDemo({
    json: process.argv.includes('--json'),
    startSystem: (/** @type {import('./lib/system.d.mts').SystemOptions} */ options) =>
      startSystem({ name: 'demo-vast', fresh: true, world: true, ...options }),
  });
});
