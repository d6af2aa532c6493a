import type { DeploymentSpec } from '@davit/contracts';
import type { ServerFacts } from './probe-result.js';

const UNITS: Readonly<Record<string, number>> = {
  k: 1_000,
  K: 1_024,
  m: 1_000_000,
  M: 1_024 ** 2,
};

/**
 * How vLLM, SGLang and TGI spell the context length. llama.cpp's `--ctx-size` is shared by all its slots, and what it tells is
 * the part of one: the two are no contradiction.
 */
const CONTEXT_FLAGS: ReadonlySet<string> = new Set(['--max-model-len', '--context-length', '--max-total-tokens']);

/**
 * Tokens that the arguments ask the engine to be started for; undefined where they do not say it, or leave it to the engine
 * (`auto`, `-1`, 0). vLLM reads `32k` as 32 000 and `32K` as 32 768.
 */
export function statedContextLength(args: readonly string[]): number | undefined {
  const words = args.flatMap((arg) => arg.split(/[\s=]+/));
  const at = words.findLastIndex((word) => CONTEXT_FLAGS.has(word.replaceAll('_', '-')));
  const found = at < 0 ? null : /^(\d+(?:\.\d+)?)([kKmM])?$/.exec(words[at + 1] ?? '');
  if (!found) return undefined;
  const tokens = Math.trunc(Number(found[1]) * (UNITS[found[2] ?? ''] ?? 1));
  return tokens > 0 ? tokens : undefined;
}

/**
 * What a server tells that contradicts what was asked for, in words; undefined where nothing does. What it does not tell
 * cannot contradict, and a longer context serves whoever counts on the one stated.
 */
export function contradiction(
  { model, runtime }: Pick<DeploymentSpec, 'model' | 'runtime'>,
  { contextLength, adapters }: ServerFacts,
): string | undefined {
  const stated = statedContextLength(runtime.args);
  if (stated !== undefined && contextLength !== undefined && contextLength < stated)
    return `it was started for ${contextLength} tokens of context, ${stated} are stated in runtime.args`;
  const missing = adapters && (model.adapters ?? []).filter((name) => !adapters.includes(name));
  if (!missing || missing.length === 0) return undefined;
  return `it does not serve the adapters ${missing.join(', ')} of model.adapters; it serves ${adapters.join(', ') || 'none'}`;
}
