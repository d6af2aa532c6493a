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

/** In place of an image: the machine's own system, into which the engine is installed when it starts. */
const NO_IMAGE = 'none';

/** Packages of the engines that can be installed, in the version that the specification or this table pins. */
const PACKAGES: Partial<Readonly<Record<Engine, (version: string | null) => string>>> = {
  vllm: (version) => `vllm==${bare(version ?? '0.11.0')}`,
  sglang: (version) => `sglang[all]==${bare(version ?? '0.5.4')}`,
};

const ENVIRONMENT = '"$HOME/davit-engine"';

export type Surroundings =
  | { readonly image: string }
  /** Commands that install the engine, safe to repeat, and what has to run before its server. */
  | { readonly setup: string; readonly before: string };

/** What a replica runs in; the text says what is missing in the specification. */
export function surroundingsOf(runtime: Runtime): Surroundings | string {
  const { engine, image, version } = runtime;
  if (image === NO_IMAGE) {
    const packaged = PACKAGES[engine]?.(version);
    if (packaged === undefined) return `spec.runtime.image is "none", and ${engine} cannot be installed: name an image`;
    return {
      // An environment of its own: the machine's Python belongs to SkyPilot.
      setup: `python3 -m venv ${ENVIRONMENT}\n${ENVIRONMENT}/bin/pip install --no-input ${shellQuote(packaged)}\n`,
      before: `. ${ENVIRONMENT}/bin/activate\n`,
    };
  }
  const named = imageOf(runtime);
  return named === undefined ? 'spec.runtime.image is missing: name the image to run' : { image: named };
}

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
