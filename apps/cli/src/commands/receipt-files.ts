import type { ReceiptFiles } from '@davit/domain';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, exitCodes } from '../exit-codes.js';
import { fileFault } from '../file-fault.js';

/** What a receipt consists of: nothing that a server says is written anywhere else. */
const KNOWN = /^(?:[a-z-]+\.(?:json|md|svg)|evidence\/[a-z-]+-[0-9a-f]{64}\.json)$/;

/** @throws CommandError when the directory holds something already, or the files are none of a receipt */
export async function writeReceipt(directory: string, files: ReceiptFiles): Promise<void> {
  const strange = Object.keys(files).find((file) => !KNOWN.test(file));
  if (strange !== undefined) {
    throw new CommandError(
      exitCodes.failure,
      `error  "${strange.slice(0, 120)}" is no file of a receipt; nothing was written.`,
    );
  }
  const present = await readdir(directory).catch(() => []);
  if (present.length > 0) {
    throw new CommandError(
      exitCodes.badInput,
      `error  ${directory} is not empty.\n       Name another directory with -o.`,
    );
  }
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(directory, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

/** Every file below a directory, as text. @throws CommandError when it cannot be read */
export async function readReceipt(directory: string): Promise<ReceiptFiles> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    const texts = await Promise.all(
      files.map(
        async (file) =>
          [path.relative(directory, file).split(path.sep).join('/'), await readFile(file, 'utf8')] as const,
      ),
    );
    return Object.fromEntries(texts);
  } catch (error) {
    throw new CommandError(exitCodes.badInput, `error  ${directory} cannot be read: ${fileFault(error)}.`);
  }
}
