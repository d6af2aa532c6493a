import { digestOf, observeOutput, type OutputObservation } from '@davit/domain';
import { ask } from '../../load/driver/send.js';
import type { LoadTarget } from '../../load/load-parts.js';
import type { Prompt } from '../../load/prompts/prompt.js';
import { promptDigest } from '../../load/record/request-record.js';
import type { RolloutParts } from '../parts.js';

export interface AskedPrompt {
  /** SHA-256 of the request. */
  readonly prompt: string;
  /** Of the text of the answer; null where there was none. */
  readonly output: string | null;
  readonly observed: OutputObservation | null;
  readonly workerUrl: string | null;
  readonly latencyMs: number;
  readonly detail: string;
}

/** Asks an endpoint, one after the other, what recorded answers are known of. */
export async function askPrompts(
  parts: RolloutParts,
  target: LoadTarget,
  prompts: readonly Prompt[],
): Promise<readonly AskedPrompt[]> {
  const asked: AskedPrompt[] = [];
  for (const prompt of prompts) asked.push(await askOne(parts, target, prompt));
  return asked;
}

export async function askOne(parts: RolloutParts, target: LoadTarget, prompt: Prompt): Promise<AskedPrompt> {
  const sentMs = parts.clock.monotonicMs();
  const outcome = await ask(parts, target, prompt, parts.pace.requestDeadlineMs);
  const latencyMs = parts.clock.monotonicMs() - sentMs;
  const observed = outcome.kind === 'answered' ? observeOutput(prompt.id, outcome.body ?? '') : null;
  return {
    ...{ prompt: promptDigest(prompt), observed, latencyMs, workerUrl: outcome.attempts.at(-1)?.workerUrl ?? null },
    output: observed === null ? null : digestOf(observed.text ?? ''),
    detail: outcome.kind,
  };
}

/** Prompts whose answers somebody recorded, and those answers. */
export const recordedOf = (prompts: readonly Prompt[]) => {
  const withAnswer = prompts.flatMap((prompt) =>
    prompt.recorded === null ? [] : [{ prompt, recorded: observeOutput(prompt.id, prompt.recorded) }],
  );
  return { asked: withAnswer.map(({ prompt }) => prompt), recorded: withAnswer.map(({ recorded }) => recorded) };
};
