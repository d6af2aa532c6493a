import { type VerdictReason } from '../bundle.js';
import { compareOutputs } from '../contract/compare.js';
import { type ContractEvidence } from '../contract/observation.js';
import { reason } from './reason.js';

/** Whether the candidate answers as was recorded: in structure, ending, model, length and wording. */
export function contractReason(contract: ContractEvidence | null): VerdictReason {
  if (contract === null) return reason('output-contract', 'open', 'outputs were not compared');
  const { verdict, differences, figures } = compareOutputs(contract);
  switch (verdict) {
    case 'same':
      return reason('output-contract', 'met', `${figures.compared} answers keep the recorded contract`, figures);
    case 'unknown':
      return reason('output-contract', 'open', differences.map(({ detail }) => detail).join('; '), figures);
    case 'different': {
      const told = differences.slice(0, 5).map(({ probe, detail }) => `${probe}: ${detail}`);
      return reason('output-contract', 'broken', told.join('; '), figures);
    }
  }
}
