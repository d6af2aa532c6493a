import { MODEL_SERVER_DEFAULTS } from '../model-server/config.js';
import { PROFILE_VERSIONS, vllmProfile, type Profile } from '../model-server/profiles.js';

/** A program that serves models, and what its command line is like. */
export interface ServerProgram {
  /** Whether the word at `index` is the program. */
  isAt(words: readonly string[], index: number): boolean;
  profile(version: string, envs: Readonly<Record<string, string>>): Profile;
  /** When nothing tells it. */
  readonly version: string;
  /** The image or the package whose version is the program's. */
  readonly publishedAs: RegExp;
  readonly port: number;
  /** Whether the model may stand first, without an option. */
  readonly modelFirst: boolean;
  readonly model: readonly string[];
  /** Options that name the model to clients; absent when it has only its own. */
  readonly names?: readonly string[];
  readonly contextLength: readonly string[];
  readonly apiKey: readonly string[];
  /** The variable that holds the key when no option does, where there is one. */
  readonly keyVariable?: string;
  readonly dataParallel?: readonly string[];
  readonly apiServers?: readonly string[];
  publishesStats(command: readonly string[]): boolean;
}

const COMMON = { modelFirst: false, apiKey: ['--api-key'], publishesStats: () => true } as const;

const PROGRAMS: readonly ServerProgram[] = [
  {
    ...COMMON,
    isAt: (words, index) =>
      words[index] === 'vllm.entrypoints.openai.api_server' ||
      (words[index] === 'serve' && words[index - 1]?.endsWith('vllm') === true),
    profile: (version, envs) => vllmProfile(version, envs['VLLM_USE_RUST_FRONTEND'] === '1'),
    version: MODEL_SERVER_DEFAULTS.version,
    publishedAs: /vllm/,
    port: 8000,
    modelFirst: true,
    model: ['--model'],
    names: ['--served-model-name'],
    contextLength: ['--max-model-len'],
    keyVariable: 'VLLM_API_KEY',
    dataParallel: ['--data-parallel-size', '-dp'],
    apiServers: ['--api-server-count'],
    publishesStats: (command) => !command.includes('--disable-log-stats'),
  },
  {
    ...COMMON,
    isAt: (words, index) => words[index] === 'sglang.launch_server',
    profile: () => 'sglang',
    version: PROFILE_VERSIONS.sglang,
    publishedAs: /sglang/,
    port: 30_000,
    model: ['--model-path', '--model'],
    names: ['--served-model-name'],
    contextLength: ['--context-length'],
    dataParallel: ['--data-parallel-size', '--dp-size'],
    publishesStats: (command) => command.includes('--enable-metrics'),
  },
  {
    ...COMMON,
    isAt: (words, index) => words[index] === 'text-generation-launcher',
    profile: () => 'tgi',
    version: PROFILE_VERSIONS.tgi,
    publishedAs: /text-generation-inference/,
    port: 3000,
    model: ['--model-id'],
    contextLength: ['--max-total-tokens'],
    keyVariable: 'API_KEY',
  },
  {
    ...COMMON,
    isAt: (words, index) => /(^|\/)llama-server$/.test(words[index] ?? ''),
    profile: () => 'llamacpp',
    version: PROFILE_VERSIONS.llamacpp,
    publishedAs: /llama\.cpp/,
    port: 8080,
    model: ['-hf', '--hf-repo', '-m', '--model'],
    names: ['--alias', '-a'],
    contextLength: ['--ctx-size', '-c'],
    keyVariable: 'LLAMA_API_KEY',
    publishesStats: (command) => command.includes('--metrics'),
  },
  {
    // This world's own name for a server of which nothing is known but the interface.
    ...COMMON,
    isAt: (words, index) => words[index] === 'openai-server',
    profile: () => 'openai',
    version: PROFILE_VERSIONS.openai,
    publishedAs: /openai-server/,
    port: 8000,
    model: ['--model'],
    names: ['--served-model-name'],
    contextLength: ['--max-model-len'],
  },
];

/** The first program among the words of a script that serves models. */
export function findProgram(
  words: readonly string[],
): { readonly program: ServerProgram; readonly at: number } | undefined {
  for (const at of words.keys()) {
    const program = PROGRAMS.find((known) => known.isAt(words, at));
    if (program) return { program, at };
  }
  return undefined;
}

/** The version that the tag of the project's image tells, or the pinned package; undefined when neither does. */
export function versionOf(
  { publishedAs }: ServerProgram,
  { image, setup = '' }: { readonly image?: string | null; readonly setup?: string },
): string | undefined {
  const [, name = '', tag = ''] = /^(.*):([^:/]+)$/.exec(image ?? '') ?? [];
  if (publishedAs.test(name)) return /b\d{3,}$/.exec(tag)?.[0] ?? /\d+(?:\.\d+)+/.exec(tag)?.[0];
  const pinned = [...setup.matchAll(/([\w.[\]-]+)==(\d+(?:\.\d+)+)/g)];
  return pinned.find(([, name = '']) => publishedAs.test(name))?.[2];
}

/** The command that an image runs by itself, for arguments that are given to it. */
export function entryPointOf(image: string): string {
  if (image.includes('sglang')) return 'python3 -m sglang.launch_server';
  if (image.includes('text-generation-inference')) return 'text-generation-launcher';
  return image.includes('llama.cpp') ? 'llama-server' : 'vllm serve';
}
