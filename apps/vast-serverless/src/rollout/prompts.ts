import type { Prompt } from '../load/prompts/prompt.js';
import { PromptsError } from '../load/prompts/prompt.js';
import type { Turn } from './turn.js';

/** The prompts of the rollout's policy; undefined, and told to the operator's log, where they cannot be used at present. */
export async function promptsOf({ parts, plan, context }: Turn): Promise<readonly [Prompt, ...Prompt[]] | undefined> {
  try {
    const [first, ...rest] = await parts.prompts(plan.policy.load.prompts);
    return first && [first, ...rest];
  } catch (error) {
    if (!(error instanceof PromptsError)) throw error;
    context.logger.error({ err: error }, 'prompts cannot be used');
    return undefined;
  }
}
