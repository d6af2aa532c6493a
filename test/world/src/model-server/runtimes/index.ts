import { type Profile } from '../profiles.js';
import { llamaCpp } from './llamacpp.js';
import { openAi } from './openai.js';
import { type Runtime } from './runtime.js';
import { sgLang } from './sglang.js';
import { tgi } from './tgi.js';
import { vllm } from './vllm.js';

export const RUNTIMES: Readonly<Record<Profile, Runtime>> = {
  'vllm-v0': vllm,
  'vllm-transition': vllm,
  'vllm-newest': vllm,
  'vllm-rust': vllm,
  sglang: sgLang,
  tgi,
  llamacpp: llamaCpp,
  openai: openAi,
};
