import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { CommandError, exitCodes } from './exit-codes.js';

const MAX_BYTES = 1024 * 1024;

/** Reads a specification from a file, or from standard input for `-`. YAML 1.2, and so JSON too. */
export function readManifest(file: string): unknown {
  const document = parseDocument(readText(file), { prettyErrors: true, uniqueKeys: true });
  const [first] = document.errors;
  if (first) {
    throw new CommandError(
      exitCodes.badInput,
      `error  ${file} is not valid YAML: ${first.message}\nNothing was changed.`,
      { file },
    );
  }
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new CommandError(
      exitCodes.badInput,
      `error  ${file}: ${error instanceof Error ? error.message : String(error)}\nNothing was changed.`,
      { file },
    );
  }
}

function readText(file: string): string {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(exitCodes.badInput, `error  cannot read ${file}: ${reason}.\nNothing was changed.`, {
      file,
    });
  }
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new CommandError(
      exitCodes.badInput,
      `error  ${file} is larger than 1 MiB, which no specification is.\nNothing was changed.`,
      { file },
    );
  }
  return text;
}
