import { apiKeyOf } from './api-key.js';
import { DavitClient } from './client.js';
import { CommandError, exitCodes } from './exit-codes.js';
import { instantOf, isPosition } from './instants.js';

/** What every command has at hand. */
export interface Session {
  readonly client: DavitClient;
  readonly json: boolean;
  readonly actor: string | undefined;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  /** The time that is asked about: ages and days are reckoned from it. */
  nowMs(): number;
  /** Prints a value as JSON under `--json`, and the text otherwise. */
  print(value: unknown, text: () => string): void;
  /** Rests between two looks at the server. */
  pause(ms: number): Promise<void>;
}

export interface GlobalOptions {
  readonly url?: string;
  readonly json?: boolean;
  readonly actor?: string;
  readonly at?: string;
  readonly keyFile?: string;
}

export const DEFAULT_URL = 'http://127.0.0.1:7600';

export function openSession(options: GlobalOptions, env: NodeJS.ProcessEnv = process.env): Session {
  const json = options.json === true;
  const at = options.at === undefined ? undefined : instantOf(options.at, Date.now());
  return {
    client: new DavitClient(
      addressOf(options.url, env['DAVIT_URL']),
      undefined,
      at,
      apiKeyOf({ file: options.keyFile, env }),
    ),
    json,
    actor: options.actor ?? env['DAVIT_ACTOR'] ?? env['USER'],
    out: process.stdout,
    err: process.stderr,
    nowMs: () => (at === undefined || isPosition(at) ? Date.now() : Date.parse(at)),
    print: (value, text) => void process.stdout.write(`${json ? JSON.stringify(value) : text()}\n`),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

function addressOf(option: string | undefined, variable: string | undefined): string {
  const text = option ?? (variable === '' ? undefined : variable) ?? DEFAULT_URL;
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  const name = option === undefined ? 'DAVIT_URL' : '--url';
  throw new CommandError(
    exitCodes.badInput,
    `error  ${name} "${text}" is not an address; write for example ${DEFAULT_URL}.`,
  );
}
