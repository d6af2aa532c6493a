import type { NewEvent } from '@davit/contracts';
import {
  compareOutputs,
  type ContractEvidence,
  DEFAULT_CONTRACT_POLICY,
  type OutputDifference,
  veiledContract,
} from '@davit/domain';
import type { ReconcileResult } from '@davit/reconcile';
import { interfaceOf } from '../../load/record/answer.js';
import { promptsOf } from '../prompts.js';
import { cut, type Turn } from '../turn.js';
import { type AskedPrompt, askPrompts, recordedOf } from './ask-prompts.js';
import type { CanaryDriver } from './drive.js';
import { canaryTarget } from './target.js';

const BY = 'shape, finish reason, model, length and wording';
const MOST_OUTPUTS = 256;

/** Waits until the canary serves; then it has to answer what was recorded, and to answer it so. */
export async function proveCandidate(turn: Turn, drive: CanaryDriver): Promise<ReconcileResult> {
  const { state, parts, servedName } = turn;
  const { resource } = state.canary ?? {};
  if (resource?.resource?.phase !== 'up') return drive(turn);
  const target = canaryTarget(turn);
  const prompts = await promptsOf(turn);
  if (!target || !prompts) return turn.notKnown('proof', 'no canary or no prompts');
  const { asked, recorded } = recordedOf(prompts.slice(0, MOST_OUTPUTS));
  const answers = await askPrompts(parts, target, asked);
  const unanswered = answers.find(({ observed }) => observed === null);
  if (unanswered) return turn.notKnown('proof', `a prompt was not answered: ${unanswered.detail}`);
  const observed = answers.flatMap((answer) => answer.observed ?? []);
  const policy = { ...DEFAULT_CONTRACT_POLICY, expectedModel: servedName };
  const contract: ContractEvidence = { policy, recorded, observed };
  const { verdict, differences } = compareOutputs(contract);
  const schemas = [...new Set(observed.map((one) => interfaceOf(one) ?? 'another one'))];
  const kept = await keep(turn, answers, contract, schemas, differences);
  if (verdict === 'same') return turn.write(proved(turn, answers, schemas, kept));
  const isSchema = differences.some(({ what }) => what === 'schema');
  return turn.write({
    type: 'davit.rollout.candidate-failed',
    data: {
      ...{ rolloutId: state.id, step: isSchema ? 'response-schema' : 'outputs', evidenceDigest: kept },
      detail: cut(differences.map(({ probe, detail }) => `${probe}: ${told(detail)}`).join('; ')),
    },
  });
}

/** Names of fields and figures, and none of what was answered. */
const told = (detail: string): string => detail.replace(/"[^"]*"/g, '"…"');

function proved(turn: Turn, answers: readonly AskedPrompt[], schemas: readonly string[], evidenceDigest: string) {
  const { loadMs, readinessMs } = timesOf(turn);
  const event: NewEvent = {
    type: 'davit.rollout.candidate-proved',
    data: {
      ...{ rolloutId: turn.state.id, loadMs, readinessMs, responseSchema: schemas.join(', '), evidenceDigest },
      outputs: answers.map(({ prompt, output }) => ({ prompt, output: output ?? prompt, agrees: true, by: BY })),
    },
  };
  return event;
}

/** From the launch until it was first seen to serve, and until now, when it has answered. */
function timesOf({ state, nowMs }: Turn): { readonly loadMs: number; readonly readinessMs: number } {
  const { launch, resource } = state.canary?.resource ?? {};
  const sinceMs = Date.parse(launch?.requestedAt ?? state.startedAt);
  const upMs = Date.parse(resource?.at ?? state.startedAt);
  return { loadMs: Math.max(0, upMs - sinceMs), readinessMs: Math.max(0, nowMs - sinceMs) };
}

async function keep(
  turn: Turn,
  answers: readonly AskedPrompt[],
  contract: ContractEvidence,
  schemas: readonly string[],
  differences: readonly OutputDifference[],
): Promise<string> {
  const { state, parts } = turn;
  const differs = new Set(differences.map(({ probe }) => probe));
  const { digest } = await parts.evidence.put('candidate', {
    ...{ version: 1, externalKey: state.canary?.externalKey, template: state.template, ...timesOf(turn) },
    responseSchema: schemas.join('+').replaceAll(' ', '-'),
    outputs: answers.map(({ prompt, output, observed }) => ({
      ...{ prompt, output: output ?? prompt, agrees: !differs.has(observed?.probe ?? ''), by: BY },
    })),
    contract: veiledContract(contract),
  });
  return digest;
}
