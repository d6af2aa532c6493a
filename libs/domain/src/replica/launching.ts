import { type Decision, type Writer, waitUntil } from '../decision.js';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import { failed, startFailure } from './failure.js';
import { startTimesOf } from './start-times.js';

/** A replica whose launch was asked for: ready, failed, given more time because it moves, or waited for. */
export function launching(
  replica: ReplicaState,
  deployment: DeploymentState | undefined,
  nowMs: number,
  write: Writer,
): Decision {
  const { launch, runtime } = replica;
  const failure = startFailure(replica);
  if (failure) return write(failed(replica, failure));
  if (runtime?.status === 'ready' && runtime.servedModel !== null) {
    const { id, placement } = replica;
    const data = { replicaId: id, url: runtime.url, servedModel: runtime.servedModel, placement };
    return write({ type: 'davit.replica.ready', data });
  }
  const deadlineMs = launch ? Date.parse(launch.deadlineAt) : nowMs;
  if (nowMs < deadlineMs) return waitUntil(deadlineMs);
  const extension = deployment && extensionOf(replica, deployment, deadlineMs, nowMs);
  if (extension)
    return write({ type: 'davit.replica.deadline-extended', data: { replicaId: replica.id, ...extension } });
  const detail = `not ready by ${launch?.deadlineAt ?? 'its deadline'}, while ${phaseOf(replica)}; ${lastProgress(replica)}`;
  return write(failed(replica, { class: 'transient', reason: 'start deadline passed', detail }));
}

/** More time for a start that moved within the last step, up to the cap; undefined when it gets none. */
function extensionOf(
  replica: ReplicaState,
  deployment: DeploymentState,
  deadlineMs: number,
  nowMs: number,
): { readonly deadlineAt: string; readonly capAt: string; readonly reason: string } | undefined {
  const { launch, progress, runtime } = replica;
  if (!launch) return undefined;
  const { capMs, stepMs } = startTimesOf((deployment.revisions[replica.revision] ?? deployment.spec).spec);
  const cap = Date.parse(launch.requestedAt) + capMs;
  const says = runtime?.reason;
  const moves =
    says === 'loading' || says === 'warming' || (progress !== null && nowMs - Date.parse(progress.at) <= stepMs);
  const next = Math.min(Math.max(deadlineMs, nowMs) + stepMs, cap);
  if (!moves || next <= nowMs) return undefined;
  const reason = `${phaseOf(replica)}; ${lastProgress(replica)}`;
  return { deadlineAt: new Date(next).toISOString(), capAt: new Date(cap).toISOString(), reason };
}

/** What a start is in the middle of, in words. */
export function phaseOf({ launch, resource, runtime }: ReplicaState): string {
  switch (launch?.outcome) {
    case undefined:
    case 'requested':
      return 'the launch was still to be made';
    case 'attempted':
    case 'unknown':
      return 'nobody knew whether the launch was accepted';
    case 'refused':
      return 'the launch was refused';
    case 'accepted':
  }
  if (runtime) {
    const said = runtime.detail === '' ? '' : ` (${runtime.detail})`;
    return runtime.reason === null
      ? `the model server at ${runtime.url} was probed`
      : `the model server at ${runtime.url} was ${runtime.reason}${said}`;
  }
  if (!resource) return 'nothing was seen of the machine';
  const said = resource.detail === '' ? '' : ` (${resource.detail})`;
  const stuck = resource.diagnosis ? `, stuck at ${resource.diagnosis.boundary}: ${resource.diagnosis.detail}` : '';
  return `the machine was ${resource.phase}${said}${stuck}`;
}

const lastProgress = ({ progress }: ReplicaState): string =>
  progress ? `last progress at ${progress.at}: ${progress.what}` : 'no progress was seen';
