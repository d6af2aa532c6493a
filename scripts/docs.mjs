#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LIFECYCLE_PAGE, lifecyclePage } from './docs/lifecycle.mjs';
import { loadSources } from './docs/load.mjs';
import { REFERENCE_FOLDER, referencePages } from './docs/reference.mjs';
import { prepare } from './lib/build.mjs';
import { repoRoot } from './lib/paths.mjs';
import { runCommand, say } from './lib/say.mjs';

/** Writes docs/reference, and the diagrams of the lifecycle, from the schemas and programs. */
await runCommand(async () => {
  await prepare();
  const folder = path.join(repoRoot, REFERENCE_FOLDER);
  mkdirSync(folder, { recursive: true });
  const sources = await loadSources('dist');
  for (const [file, text] of referencePages(sources)) {
    writeFileSync(path.join(folder, file), text);
    say(`${REFERENCE_FOLDER}/${file}`);
  }
  writeFileSync(path.join(repoRoot, LIFECYCLE_PAGE), lifecyclePage(sources));
  say(LIFECYCLE_PAGE);
  return 0;
});
