import { MODEL_SERVER_DEFAULTS, type ModelServerConfig } from '../model-server/config.js';
import { seal } from '../seal.js';

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
}

/** Finds the model server in a `run` script: its model, served names, port and whether a key is required. */
export function findServer(script: string, variables: ScriptVariables): ServerCommand | null {
  const words = shellWords(script);
  const start = words.findIndex(
    (word, index) =>
      (word === 'serve' && words[index - 1]?.endsWith('vllm') === true) ||
      word === 'vllm.entrypoints.openai.api_server' ||
      word === 'sglang.launch_server',
  );
  if (start === -1) return null;
  const command = words.slice(start + 1);
  const option = (...names: string[]): string | undefined => values(command, names)[0];
  const expand = (word: string): string => expandEnvs(word, variables.envs);
  const bare = command[0]?.startsWith('-') === false ? command[0] : undefined;
  const model = expand(bare ?? option('--model', '--model-path') ?? '');
  const served = values(command, ['--served-model-name']).map(expand);
  return {
    port: Number(expand(option('--port') ?? '8000')),
    config: {
      ...MODEL_SERVER_DEFAULTS,
      root: model,
      servedModelNames: served.length > 0 ? served : [model],
      maxModelLen: Number(
        expand(option('--max-model-len', '--context-length') ?? String(MODEL_SERVER_DEFAULTS.maxModelLen)),
      ),
      apiKey: apiKey(option('--api-key'), variables),
    },
  };
}

function apiKey(word: string | undefined, { envs, secrets, salt }: ScriptVariables): ModelServerConfig['apiKey'] {
  const byEnvironment = secrets['VLLM_API_KEY'];
  if (word === undefined) return byEnvironment === undefined ? null : { salt, sealed: byEnvironment };
  const name = /^\$\{?(\w+)\}?$/.exec(word)?.[1];
  const sealed = name === undefined ? undefined : secrets[name];
  return { salt, sealed: sealed ?? seal(salt, expandEnvs(word, envs)) };
}

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
