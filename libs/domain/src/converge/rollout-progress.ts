import type { Condition, DeploymentState } from '../lifecycle/state.js';
import { isHeldForEvidence, servingRevision } from '../rollout/start.js';

/** How a revision that has to prove itself stands; undefined where none does. */
export function rolloutProgress(deployment: DeploymentState): Omit<Condition, 'since'> | undefined {
  if (!isHeldForEvidence(deployment)) return undefined;
  const { key, revision, rollout } = deployment;
  const serves = `revision ${servingRevision(deployment)} serves`;
  if (!rollout || rollout.revision !== revision) {
    const before = rollout?.status === 'under-way' ? ` once rollout ${rollout.id} is over` : '';
    return told('true', 'RolloutPending', `revision ${revision} is to prove itself${before}; ${serves}`);
  }
  const { id, status, detail } = rollout;
  const remedy = `declare another revision, or send \`davit retry ${key}\``;
  switch (status) {
    case 'under-way':
      return told('true', 'RollingOut', `revision ${revision} proves itself in rollout ${id}; ${serves}`);
    case 'rolled-back':
      return told('false', 'RolloutRolledBack', `rollout ${id} was rolled back (${detail}); ${serves}; ${remedy}`);
    case 'rejected':
      return told('false', 'CandidateRejected', `rollout ${id} was rejected (${detail}); ${serves}; ${remedy}`);
    case 'refused':
      return told('false', 'CandidateRejected', `rollout ${id} was refused (${detail}); ${serves}; ${remedy}`);
    case 'accepted':
      return undefined;
  }
}

const told = (status: 'true' | 'false', reason: string, message: string): Omit<Condition, 'since'> => ({
  status,
  reason,
  message,
});
