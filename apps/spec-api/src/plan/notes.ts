import {
  type DeploymentSpec,
  type NormalisedDeployment,
  type PlanCandidate,
  type PlanView,
  counted,
} from '@davit/contracts';
import type { DeploymentState, Ranking } from '@davit/domain';

export interface StateNotesInput {
  readonly state: DeploymentState | undefined;
  /** The state where it is not on its way out. */
  readonly current: DeploymentState | undefined;
  readonly change: PlanView['change'];
  readonly wanted: NormalisedDeployment;
  readonly replicas: PlanView['replicas'];
  readonly strategy: DeploymentSpec['rollout']['strategy'];
}

/** What a reader should know of the deployment as it is. */
export function stateNotes({ state, current, change, wanted, replicas, strategy }: StateNotesInput): string[] {
  const notes: string[] = [];
  const { mode } = wanted.spec.compute;
  if (state?.status === 'deleting') notes.push('It is being deleted; applying this declares it anew.');
  if (mode === 'serverless') notes.push('The provider scales and prices the workers of a serverless endpoint.');
  if (mode === 'serverless' && wanted.spec.budget) {
    notes.push(
      'Nobody tells what its workers cost, so the budget cannot be kept: bound them by spec.compute.workers.max.',
    );
  }
  if (mode === 'direct') notes.push('Direct endpoints already run and cost nothing more here.');
  if (change === 'new-revision' && current) {
    const most = strategy === 'surge' ? replicas.from + replicas.to : Math.max(replicas.from, replicas.to);
    notes.push(
      `While revision ${current.revision} hands over, up to ${counted(most, 'replica')} ${most === 1 ? 'runs' : 'run'} at once.`,
    );
  }
  return notes;
}

/** What would wait, and what the signals do not prove. */
export function placementNotes(
  { candidates, permanent }: Ranking,
  places: readonly (number | null)[],
  rungs: readonly PlanCandidate[],
): string[] {
  const waiting = places.filter((rung) => rung === null).length;
  const help = permanent ? ' Waiting will not help: change the placements.' : '';
  const global = new Set(
    rungs.flatMap(({ signal }) => (signal.scope === 'global' && signal.state !== 'unknown' ? [signal.source] : [])),
  );
  return [
    ...(waiting === 0
      ? []
      : waiting === places.length
        ? [`Nothing can be placed now; replicas would wait, for the reasons told of each.${help}`]
        : [
            `${waiting} of ${counted(places.length, 'replica')} would wait: ${candidates[0]?.reason ?? 'there is no room'}.${help}`,
          ]),
    ...[...global].map((source) => `Stock from ${source} is a global signal: it does not prove stock in one region.`),
  ];
}
