import { digest, seal, sealArgv } from '../seal.js';
import { type SkyCaller } from './context.js';

/** What a `sky` process is started with. */
export interface SkyInput {
  /** Without the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Undefined when the file cannot be read. */
  readonly readFile: (path: string) => Promise<string | undefined>;
}

const DOTENV_OPTIONS = ['--env-file', '--secret-file'];

/** Reduces a caller to what the world may keep: every value that may be a secret becomes a digest. */
export async function callerOf(salt: string, { argv, env, readFile }: SkyInput): Promise<SkyCaller> {
  const files: Record<string, string | null> = {};
  const sealedDotenv: Record<string, Record<string, string>> = {};
  for (const [index, argument] of argv.entries()) {
    const equals = argument.indexOf('=');
    const option = equals > 0 ? argument.slice(0, equals) : argv[index - 1];
    const path = equals > 0 && argument.startsWith('--') ? argument.slice(equals + 1) : argument;
    if (option !== undefined && DOTENV_OPTIONS.includes(option)) {
      const source = await readFile(path);
      if (source !== undefined) sealedDotenv[path] = dotenv(salt, source);
    } else if (/\.ya?ml$/.test(argument)) files[argument] = (await readFile(argument)) ?? null;
  }
  return {
    argv: sealArgv(salt, argv),
    sealedEnv: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, seal(salt, value)])),
    userHash: env['SKYPILOT_USER_ID'] ?? digest(env['HOME'] ?? '').slice(0, 8),
    userName: env['SKYPILOT_USER'] ?? 'user',
    files,
    sealedDotenv,
  };
}

function dotenv(salt: string, source: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const line of source.split('\n')) {
    const [, name, value] = /^\s*(?:export\s+)?(\w+)=["']?(.*?)["']?\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) variables[name] = seal(salt, value);
  }
  return variables;
}
