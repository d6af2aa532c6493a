import type { NormalisedDeployment } from '@davit/contracts';
import type { DeploymentState } from '../lifecycle/state.js';
import type { Refused } from './declare.js';

/**
 * Why a specification cannot be rolled out on evidence over what serves: only what a template holds changes on the same endpoint. A
 * model of another name would need another route, and other hardware is a rolling update of its own.
 */
export function evidenceObjection(
  state: DeploymentState | undefined,
  { spec }: NormalisedDeployment,
): Refused | undefined {
  if (!state || state.status !== 'active' || spec.rollout.strategy !== 'evidence') return undefined;
  const active = state.activeRevision === null ? undefined : state.revisions[state.activeRevision]?.spec;
  if (!active || active.compute.mode !== 'serverless' || spec.compute.mode !== 'serverless') return undefined;
  const fixed = [
    ['spec.model.servedName', active.model.servedName, spec.model.servedName],
    ['spec.compute.search', active.compute.search, spec.compute.search],
    ['spec.compute.gpuRamGiB', active.compute.gpuRamGiB, spec.compute.gpuRamGiB],
  ] as const;
  const changed = fixed.find(([, from, to]) => from !== to);
  if (!changed) return undefined;
  const [field, from, to] = changed;
  return {
    outcome: 'refused',
    code: 'not-a-template-change',
    detail: `${field} changes from "${from}" to "${to}", and strategy "evidence" changes only what a template holds`,
    remedy: 'Leave it as it is, or write spec.rollout.strategy "surge": a replica of its own then takes over.',
  };
}
