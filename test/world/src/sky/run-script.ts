import { MODEL_SERVER_DEFAULTS, type ModelServerConfig } from '../model-server/config.js';
import { sealedKey } from '../model-server/keys.js';
import { findProgram, versionOf } from './server-programs.js';

/** What the `run` commands of a task would start. */
export interface ServerCommand {
  readonly port: number;
  readonly config: Omit<ModelServerConfig, 'loadMs'>;
}

export interface ScriptVariables {
  readonly envs: Readonly<Record<string, string>>;
  /** Digests of secret values by name. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly salt: string;
  /** What tells the version of the server: the image, or the commands that install it. */
  readonly image?: string | null;
  readonly setup?: string;
}

/** Finds the model server in a `run` script: its kind, model, served names, port and whether a key is required. */
export function findServer(script: string, variables: ScriptVariables): ServerCommand | null {
  const words = shellWords(script);
  const found = findProgram(words);
  if (!found) return null;
  const { program, at } = found;
  const command = words.slice(at + 1);
  const envs = { ...variables.envs, ...assignments(words.slice(0, at)) };
  const expand = (word: string): string => expandEnvs(word, envs);
  const all = (names: readonly string[]): string[] => values(command, names).map(expand);
  const option = (names: readonly string[]): string | undefined => all(names)[0];
  const count = (names: readonly string[] | undefined): number => Math.max(1, Number(names && option(names)) || 1);
  const bare = program.modelFirst && command[0]?.startsWith('-') === false ? expand(command[0]) : undefined;
  const model = bare ?? option(program.model) ?? '';
  const served = program.names ? all(program.names) : [];
  const version = versionOf(program, variables) ?? program.version;
  const key = values(command, program.apiKey)[0];
  return {
    port: Number(option(['--port']) ?? program.port),
    config: {
      ...MODEL_SERVER_DEFAULTS,
      profile: program.profile(version, envs),
      version,
      root: model,
      servedModelNames: served.length > 0 ? served : [model],
      adapters: adaptersOf(all(['--lora-modules'])),
      maxModelLen: Number(option(program.contextLength) ?? MODEL_SERVER_DEFAULTS.maxModelLen),
      apiKey: apiKey(key, program.keyVariable, { ...variables, envs }),
      dataParallel: count(program.dataParallel),
      apiServers: count(program.apiServers),
      metrics: program.publishesStats(command),
      devMode: envs['VLLM_SERVER_DEV_MODE'] === '1',
    },
  };
}

function apiKey(
  word: string | undefined,
  variable: string | undefined,
  { envs, secrets, salt }: ScriptVariables,
): ModelServerConfig['apiKey'] {
  const byEnvironment = variable === undefined ? undefined : secrets[variable];
  if (word === undefined) return byEnvironment === undefined ? null : { salt, sealed: byEnvironment };
  const name = /^\$\{?(\w+)\}?$/.exec(word)?.[1];
  const sealed = name === undefined ? undefined : secrets[name];
  return sealed === undefined ? sealedKey(salt, expandEnvs(word, envs)) : { salt, sealed };
}

/** `name=path` of every adapter. */
const adaptersOf = (modules: readonly string[]): ModelServerConfig['adapters'] =>
  modules.map((module) => {
    const [name = '', path = ''] = module.split('=');
    return { name, path };
  });

/** Variables that are set in front of a command or exported before it. */
const assignments = (words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    words.flatMap((word) => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(word) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );

const expandEnvs = (word: string, envs: Readonly<Record<string, string>>): string =>
  word.replace(/\$\{?(\w+)\}?/g, (_, name: string) => envs[name] ?? '');

/** The words after the first of these options, up to the next option. */
function values(words: readonly string[], names: readonly string[]): string[] {
  const at = words.findIndex((word) => names.some((name) => word === name || word.startsWith(`${name}=`)));
  const found = words[at];
  if (found === undefined) return [];
  if (found.includes('=') && found.startsWith('--')) return [found.slice(found.indexOf('=') + 1)];
  const rest = words.slice(at + 1);
  const end = rest.findIndex((word) => word.startsWith('-') || word === '&' || word === ';' || word === '|');
  return end === -1 ? rest : rest.slice(0, end);
}

/** Splits a script as a shell would, as far as quotes, comments and continued lines go. */
function shellWords(script: string): string[] {
  const joined = script.replace(/\\\n/g, ' ').replace(/(^|\s)#.*$/gm, '$1');
  const words = joined.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ''),
  );
}
