import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** The files that prices stand in. Faults of the file system are thrown. */
export interface PriceFiles {
  /** Changes when the file changes; undefined when there is none. It tells nothing of when its prices were observed. */
  stamp(path: string): Promise<string | undefined>;
  /** The whole of a small file. */
  text(path: string): Promise<string>;
  /** A large file in pieces, no character cut in two. */
  chunks(path: string): AsyncIterable<string>;
}

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
  text: (path) => readFile(path, 'utf8'),
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
