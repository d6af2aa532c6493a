import { readFileSync } from 'node:fs';
import { CommandError, exitCodes } from './exit-codes.js';

/** Where a key may come from; never the command line, which every user of the machine can read. */
export interface KeySources {
  /** Of the option `--key-file`. */
  readonly file: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The API key or token that requests are sent with; undefined where none is set. The option wins over DAVIT_API_KEY, and that over
 * DAVIT_API_KEY_FILE.
 * @throws CommandError when a named file cannot be read, or holds no key
 */
export function apiKeyOf({ file, env }: KeySources): string | undefined {
  if (file !== undefined) return keyIn(file, '--key-file');
  const { DAVIT_API_KEY: key = '', DAVIT_API_KEY_FILE: named = '' } = env;
  if (key !== '') return usable(key, 'DAVIT_API_KEY');
  return named === '' ? undefined : keyIn(named, 'DAVIT_API_KEY_FILE');
}

function keyIn(file: string, source: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'fault';
    throw wrong(`${source} "${file}" cannot be read (${reason}); name a file that holds an API key`);
  }
  return usable(text.trim(), `${source} "${file}"`);
}

function usable(key: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw wrong(`${source} holds no API key; write one, on one line, without spaces`);
}

const wrong = (what: string): CommandError => new CommandError(exitCodes.badInput, `error  ${what}.`);
