import { closeSync, openSync, readSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { CommandError, exitCodes } from './exit-codes.js';
import { fileFault } from './file-fault.js';

/** What checking keys for being unique, which takes time by the square, does within seconds. */
const MAX_BYTES = 256 * 1024;

/** Reads a specification from a file, or from standard input for `-`. YAML 1.2, and so JSON too. */
export function readManifest(file: string): unknown {
  const document = parseDocument(readText(file), { prettyErrors: true, uniqueKeys: true });
  const [first] = document.errors;
  if (first?.code === 'MULTIPLE_DOCS') {
    throw wrong(file, `${file} holds several documents. Write one deployment per file, and apply each.`);
  }
  if (first) throw wrong(file, `${file} is not valid YAML: ${first.message}`);
  let manifest: unknown;
  try {
    manifest = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw wrong(file, `${file}: ${textOf(error)}`);
  }
  if (manifest === null)
    throw wrong(file, `${file} is empty. Write a deployment, for example docs/examples/qwen3-8b.yaml.`);
  const problem = unsayable(manifest, '', []);
  if (problem !== undefined) throw wrong(file, problem);
  return manifest;
}

/**
 * What YAML can say and JSON cannot. Such numbers would arrive as null, and the answer would speak of a null that nobody
 * wrote.
 */
function unsayable(value: unknown, path: string, within: readonly object[]): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return `${path}: is not a finite number. Write digits.`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (within.includes(value)) return `${path}: holds itself. Write it out instead of the alias.`;
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`;
    const found = unsayable(member, path + step, [...within, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const wrong = (file: string, message: string): CommandError =>
  new CommandError(exitCodes.badInput, `error  ${message}\nNothing was changed.`, { file });

function readText(file: string): string {
  let content: Buffer;
  try {
    content = readStart(file);
  } catch (error) {
    throw wrong(file, `cannot read ${file}: ${fileFault(error)}.`);
  }
  if (content.length > MAX_BYTES) throw wrong(file, `${file} is larger than 256 KiB, which no specification is.`);
  return content.toString('utf8');
}

/** Reads one byte more than is allowed, and no further: a pipe or a device may have no end. */
function readStart(file: string): Buffer {
  const descriptor = file === '-' ? 0 : openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const read = readSync(descriptor, buffer, length, buffer.length - length, null);
      length += read;
      if (read === 0 || length === buffer.length) return buffer.subarray(0, length);
    }
  } finally {
    if (descriptor !== 0) closeSync(descriptor);
  }
}
