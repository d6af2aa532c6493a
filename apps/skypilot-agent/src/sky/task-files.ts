import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface TaskFile {
  readonly path: string;
  /** Removes the file; it never fails. */
  remove(): Promise<void>;
}

/** Where task files live while a command reads them. */
export interface TaskFiles {
  write(name: string, content: string): Promise<TaskFile>;
}

/** Files in one directory that only this user can read. */
export function taskFilesIn(directory: string): TaskFiles {
  return {
    async write(name, content) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = path.join(directory, `${name}-${randomBytes(6).toString('hex')}.yaml`);
      await writeFile(file, content, { mode: 0o600, flag: 'wx' });
      return { path: file, remove: () => rm(file, { force: true }).catch(() => undefined) };
    },
  };
}
