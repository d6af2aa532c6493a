import type { DeploymentSpec } from '@davit/contracts';

type Runtime = DeploymentSpec['runtime'];
type Engine = Runtime['engine'];

/** Images that hold an engine, for deployments that name none. Tags are what each project publishes. */
const IMAGES: Readonly<Record<Exclude<Engine, 'openai'>, (version: string | null) => string>> = {
  vllm: (version) => `vllm/vllm-openai:${version === null ? 'v0.11.0' : `v${bare(version)}`}`,
  sglang: (version) => `lmsysorg/sglang:${version === null ? 'v0.5.4' : `v${bare(version)}`}`,
  tgi: (version) => `ghcr.io/huggingface/text-generation-inference:${version === null ? '3.3.5' : bare(version)}`,
  llamacpp: (version) => `ghcr.io/ggml-org/llama.cpp:server-cuda${version === null ? '' : `-${version}`}`,
};

const bare = (version: string): string => version.replace(/^v/, '');

/** The container image a replica runs in; undefined when the specification must name one and does not. */
export function imageOf({ engine, image, version }: Runtime): string | undefined {
  if (image !== null) return image;
  return engine === 'openai' ? undefined : IMAGES[engine](version);
}

/**
 * The command that starts the server, as words. SkyPilot replaces the entrypoint of an image, so the server is always
 * started by name. Undefined when nothing says how.
 */
export function serverCommand({ model, runtime }: DeploymentSpec): readonly string[] | undefined {
  const address = ['--host', '0.0.0.0', '--port', String(runtime.port)];
  const revision = model.revision === null ? [] : ['--revision', model.revision];
  const named = ['--served-model-name', model.servedName];
  switch (runtime.engine) {
    case 'vllm':
      return ['vllm', 'serve', model.id, ...address, ...named, ...revision, ...runtime.args];
    case 'sglang':
      return [
        ...['python3', '-m', 'sglang.launch_server', '--model-path', model.id],
        ...[...address, ...named, ...revision, ...runtime.args],
      ];
    case 'tgi':
      // TGI serves the model under its id; it has no option for another name.
      return [
        ...['text-generation-launcher', '--model-id', model.id, '--hostname', '0.0.0.0'],
        ...['--port', String(runtime.port), ...revision, ...runtime.args],
      ];
    case 'llamacpp':
      return ['/app/llama-server', '-hf', model.id, ...address, '--alias', model.servedName, ...runtime.args];
    case 'openai':
      return runtime.args.length === 0 ? undefined : runtime.args;
  }
}

/** A word as a POSIX shell reads it back unchanged. */
export const shellQuote = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
