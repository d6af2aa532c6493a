import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Writes `bin/sky` under `directory`. It needs nothing from PATH: the interpreter's own path is written in. */
export function writeSkyExecutable(directory: string, controlUrl: string, salt: string): string {
  const bin = join(directory, 'bin');
  mkdirSync(bin, { recursive: true });
  const client = fileURLToPath(new URL('./client-main.js', import.meta.url));
  const command = [process.execPath, client, controlUrl, salt].map(quoted).join(' ');
  const path = join(bin, 'sky');
  writeFileSync(`${path}.new`, `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(`${path}.new`, 0o755);
  renameSync(`${path}.new`, path);
  return path;
}
