import {
  compareOutputs,
  type ContractEvidence,
  type ContractPolicy,
  digestOf,
  observeOutput,
  type OutputObservation,
  similarityOf,
  veiledContract,
} from '@davit/domain';
import type { Prompt } from '../prompts/prompt.js';
import { interfaceOf } from '../record/answer.js';
import { promptDigest } from '../record/request-record.js';
import { type CanaryResult, failed } from './result.js';

/** As many as an event lists; the digest covers all. */
const MOST_OUTPUTS = 256;

export interface OutputsQuestion {
  readonly prompts: readonly Prompt[];
  readonly contract: ContractPolicy;
}

/**
 * Holds a candidate's answers against the recorded ones. A missing answer proves nothing, and so fails. Words are veiled before
 * anything is compared, so that what is kept is what was judged.
 */
export function judgeOutputs(
  { prompts, contract }: OutputsQuestion,
  observed: readonly OutputObservation[],
  times: { readonly loadMs: number; readonly readinessMs: number },
): CanaryResult {
  const evidence = veiledContract({
    policy: contract,
    recorded: prompts.flatMap(({ id, recorded }) => (recorded === null ? [] : [observeOutput(id, recorded)])),
    observed,
  });
  const unreadable = observed.filter((output) => interfaceOf(output) === null).map(({ probe }) => probe);
  if (unreadable.length > 0) {
    return failed('response-schema', `no client could read the answers to ${unreadable.join(', ')}`, evidence);
  }
  const { verdict, differences } = compareOutputs(evidence);
  if (verdict !== 'same') {
    const broken = differences.filter(({ what }) => what === 'schema');
    const told = (broken.length > 0 ? broken : differences).map(({ probe, detail }) => `${probe}: ${detail}`);
    return failed(broken.length > 0 ? 'response-schema' : 'outputs', told.join('; '), evidence);
  }
  const interfaces = [...new Set(observed.map((output) => interfaceOf(output) ?? ''))].sort();
  return {
    kind: 'proved',
    data: {
      ...times,
      responseSchema: interfaces.join(', '),
      outputs: outputsOf(prompts, observed, evidence),
      evidenceDigest: digestOf(evidence),
    },
    evidence,
  };
}

function outputsOf(
  prompts: readonly Prompt[],
  observed: readonly OutputObservation[],
  { recorded }: ContractEvidence,
): { prompt: string; output: string; agrees: true; by: string }[] {
  const outputs = observed.flatMap((output) => {
    const prompt = prompts.find(({ id }) => id === output.probe);
    if (prompt === undefined) return [];
    const was = observeOutput(prompt.id, prompt.recorded ?? '');
    const similarity = similarityOf(was.text ?? '', output.text ?? '').toFixed(2);
    const by = `structure, model, finish reason and length; similarity ${similarity}`;
    return [{ prompt: promptDigest(prompt), output: digestOf(output), agrees: true as const, by }];
  });
  return outputs.slice(0, Math.min(MOST_OUTPUTS, recorded.length));
}
