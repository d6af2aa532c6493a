#!/usr/bin/env node
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brokenPromises } from './docs/compatibility/index.mjs';
import { LIFECYCLE_PAGE, lifecyclePage } from './docs/lifecycle.mjs';
import { loadSources } from './docs/load.mjs';
import { REFERENCE_FOLDER, referencePages } from './docs/reference.mjs';
import { prepare } from './lib/build.mjs';
import { repoRoot } from './lib/paths.mjs';
import { runCommand, say } from './lib/say.mjs';

/** Writes docs/reference, and the diagrams of the lifecycle, from the schemas and programs; nothing where a promise would be broken. */
await runCommand(async () => {
  await prepare();
  const folder = path.join(repoRoot, REFERENCE_FOLDER);
  mkdirSync(folder, { recursive: true });
  const sources = await loadSources('dist');
  const pages = referencePages(sources);
  const isPublished = sources.published.PUBLISHED_NAMES.every((name) => existsSync(path.join(folder, name)));
  const broken = isPublished
    ? brokenPromises(
        (name) => readFileSync(path.join(folder, name), 'utf8'),
        (name) => pages.get(name) ?? '',
      )
    : [];
  if (broken.length > 0) {
    broken.forEach(say);
    return 1;
  }
  for (const [file, text] of pages) {
    writeFileSync(path.join(folder, file), text);
    say(`${REFERENCE_FOLDER}/${file}`);
  }
  writeFileSync(path.join(repoRoot, LIFECYCLE_PAGE), lifecyclePage(sources));
  say(LIFECYCLE_PAGE);
  return 0;
});
