import { findServer, type ServerCommand } from '../../sky/run-script.js';
import { entryPointOf } from '../../sky/server-programs.js';
import { type Template } from '../entities.js';

/**
 * The model server that a template starts: from `onstart`, from `args_str` for an image whose entry point is the
 * server, or from the variables of Vast's own vLLM templates (`VLLM_MODEL` or `MODEL_NAME`, and `VLLM_ARGS`).
 */
export function templateServer(template: Template, launchArgs: string, salt: string): ServerCommand | null {
  const field = (name: string): string => {
    const value = template.fields[name];
    return typeof value === 'string' ? value : '';
  };
  const envs = dockerEnv(`${field('env')} ${launchArgs}`);
  const image = field('tag') === '' ? field('image') : `${field('image')}:${field('tag')}`;
  const variables = { envs, secrets: {}, salt, image };
  const fromScript = findServer(field('onstart'), variables);
  if (fromScript) return fromScript;
  const model = envs['VLLM_MODEL'] ?? envs['MODEL_NAME'];
  const key = envs['VLLM_API_KEY'];
  const withKey = (args: string): string => (key === undefined ? args : `${args} --api-key ${key}`);
  if (model !== undefined) return findServer(withKey(`vllm serve ${model} ${envs['VLLM_ARGS'] ?? ''}`), variables);
  if (field('args_str') === '') return null;
  return findServer(withKey(`${entryPointOf(image)} ${field('args_str')}`), variables);
}

/** `-e NAME=value` flags of a docker command line. */
function dockerEnv(flags: string): Record<string, string> {
  const found = flags.matchAll(/(?:^|\s)(?:-e|--env)\s+(\w+)=("[^"]*"|'[^']*'|\S*)/g);
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => [name, value.replace(/^(["'])(.*)\1$/, '$2')]),
  );
}
