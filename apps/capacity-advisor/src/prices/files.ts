import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** The files that prices stand in. Faults of the file system are thrown. */
export interface PriceFiles {
  /** Changes when the file changes; undefined when there is none. It tells nothing of when its prices were observed. */
  stamp(path: string): Promise<string | undefined>;
  /** The whole of a small file; a larger one, or what is no file, is refused unread. */
  text(path: string): Promise<string>;
  /** A large file in pieces, no character cut in two. */
  chunks(path: string): AsyncIterable<string>;
}

/** Some thousand rows. A table is read in one go, and nothing else is answered meanwhile. */
export const MAX_TEXT_BYTES = 512 * 1024;

export const nodeFiles: PriceFiles = {
  async stamp(path) {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      return `${mtimeMs}-${size}-${ino}`;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  async text(path) {
    const about = await stat(path);
    if (!about.isFile()) throw new Error(`${path} is no plain file`);
    if (about.size > MAX_TEXT_BYTES)
      throw new Error(
        `${path} has ${about.size} bytes, and at most ${MAX_TEXT_BYTES} are read. Keep the rows that deployments may use`,
      );
    return readFile(path, 'utf8');
  },
  chunks: (path) => createReadStream(path, { encoding: 'utf8', highWaterMark: 64 * 1024 }),
};

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** What a fault says of itself. */
export const wordsOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
