import type { DeploymentSpec } from '@davit/contracts';
import type { Engine } from './engine.js';
import { llamacpp } from './llamacpp/engine.js';
import { openai } from './openai/engine.js';
import { serverless } from './serverless/engine.js';
import { sglang } from './sglang/engine.js';
import { tgi } from './tgi/engine.js';
import { vllm } from './vllm/engine.js';

const ENGINES: Readonly<Record<DeploymentSpec['runtime']['engine'], Engine>> = { vllm, sglang, tgi, llamacpp, openai };

/** The engine that a deployment names; a new one is a folder beside these and a line here. */
export const engineOf = (runtime: Pick<DeploymentSpec['runtime'], 'engine'>): Engine => ENGINES[runtime.engine];

/**
 * What answers at a replica's address. In front of a serverless endpoint stands the provider's proxy, which speaks the
 * OpenAI paths, wants the key on each of them, and shows nothing of the engine behind it.
 */
export const facadeOf = ({ runtime, compute }: Pick<DeploymentSpec, 'runtime' | 'compute'>): Engine =>
  compute.mode === 'serverless' ? serverless : engineOf(runtime);
