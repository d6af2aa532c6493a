import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type SkyCatalogue } from './catalogue.js';

/** Writes the catalogue into a SkyPilot home, each file whole or not at all. */
export function writeCatalogueFiles(home: string, catalogue: SkyCatalogue): void {
  for (const [name, content] of Object.entries(catalogue.files())) {
    const path = join(home, '.sky', 'catalogs', 'v8', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  }
}
