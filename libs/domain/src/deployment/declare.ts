import type { NewEvent, NormalisedDeployment } from '@davit/contracts';
import { digestOf } from '../canonical.js';
import { evidenceObjection } from './evidence-objection.js';
import type { DeploymentState } from '../lifecycle/state.js';

export type Accepted = {
  readonly outcome: 'accepted';
  readonly revision: number;
  readonly generation: number;
  readonly changed: boolean;
  readonly events: readonly NewEvent[];
};
export type Refused = {
  readonly outcome: 'refused';
  readonly code: string;
  readonly detail: string;
  readonly remedy: string;
};

/**
 * What a replica is made of: a change here needs new replicas; a change elsewhere does not. The size of the model only tells how
 * long to wait for it.
 */
export function templateDigestOf({ spec }: NormalisedDeployment): string {
  const { runtime, compute, secrets } = spec;
  const { id, revision, servedName } = spec.model;
  return digestOf({ model: { id, revision, servedName }, runtime, compute, secrets });
}

/** Decides what a declared specification changes. Declaring what already holds changes nothing and succeeds. */
export function declare(
  state: DeploymentState | undefined,
  spec: NormalisedDeployment,
  intentId: string,
): Accepted | Refused {
  const templateDigest = templateDigestOf(spec);
  if (state && state.status !== 'deleted' && state.spec.spec.compute.mode !== spec.spec.compute.mode) {
    return {
      outcome: 'refused',
      code: 'mode-change',
      detail: `${state.key} runs in mode ${state.spec.spec.compute.mode}; a running deployment cannot change to ${spec.spec.compute.mode}`,
      remedy: 'Delete it first, or declare it under another name.',
    };
  }
  const objection = evidenceObjection(state, spec);
  if (objection) return objection;
  if (state?.status === 'active' && digestOf(state.spec) === digestOf(spec)) {
    return { outcome: 'accepted', revision: state.revision, generation: state.generation, changed: false, events: [] };
  }
  const generation = (state?.generation ?? 0) + 1;
  const revision = state ? revisionFor(state, templateDigest) : 1;
  return {
    outcome: 'accepted',
    revision,
    generation,
    changed: true,
    events: [{ type: 'davit.deployment.declared', data: { intentId, generation, revision, templateDigest, spec } }],
  };
}

/**
 * The present revision for the present template; the active one for its template, so that going back to what still serves
 * costs nothing; a number never used before for any other.
 */
function revisionFor(state: DeploymentState, templateDigest: string): number {
  if (state.templateDigest === templateDigest) return state.revision;
  const active = state.activeRevision === null ? undefined : state.revisions[state.activeRevision];
  if (state.activeRevision !== null && active && templateDigestOf(active) === templateDigest)
    return state.activeRevision;
  return Math.max(state.revision, ...Object.keys(state.revisions).map(Number)) + 1;
}
