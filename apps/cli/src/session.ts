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
  /** The clock of this machine, whatever time is asked about. */
  nowMs(): number;
  /** The time that is asked about: ages and days are reckoned from it. Of a position it is told by the server. */
  readonly momentMs: () => Promise<number>;
  /** Prints a value as JSON under `--json`, and the text otherwise. */
  print(value: unknown, text: () => string): void;
  /** The same for a text with ages. JSON has none, so that nobody is asked for the time under `--json`. */
  printAged(value: unknown, text: (nowMs: number) => string): Promise<void>;
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
  const print: Session['print'] = (value, text) =>
    void process.stdout.write(`${json ? JSON.stringify(value) : text()}\n`);
  const [url, key] = [addressOf(options.url, env['DAVIT_URL']), apiKeyOf({ file: options.keyFile, env })];
  const momentMs = momentOf(at, () => new DavitClient(url, undefined, undefined, key));
  return {
    client: new DavitClient(url, undefined, at, key),
    json,
    actor: options.actor ?? env['DAVIT_ACTOR'] ?? env['USER'],
    out: process.stdout,
    err: process.stderr,
    nowMs: Date.now,
    momentMs,
    print,
    printAged: async (value, text) => {
      const nowMs = json ? 0 : await momentMs();
      print(value, () => text(nowMs));
    },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

/** A position keeps its time, so that it is asked for once, however often what was then is looked at. */
function momentOf(at: string | undefined, client: () => DavitClient): () => Promise<number> {
  let told: Promise<number> | undefined;
  return async () => {
    if (at === undefined) return Date.now();
    return isPosition(at) ? await (told ??= client().timeOf(at)) : Date.parse(at);
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
