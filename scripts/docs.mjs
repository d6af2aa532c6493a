#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadSources } from './docs/load.mjs';
import { REFERENCE_FOLDER, referencePages } from './docs/reference.mjs';
import { prepare } from './lib/build.mjs';
import { repoRoot } from './lib/paths.mjs';
import { runCommand, say } from './lib/say.mjs';

/** Writes docs/reference from the schemas and programs. */
await runCommand(async () => {
  await prepare();
  const folder = path.join(repoRoot, REFERENCE_FOLDER);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of referencePages(await loadSources('dist'))) {
    writeFileSync(path.join(folder, file), text);
    say(`${REFERENCE_FOLDER}/${file}`);
  }
  return 0;
});
