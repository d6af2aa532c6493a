import { type NewEvent, type RouteTarget, stream } from '@davit/contracts';
import { type Decision, NOTHING } from '../decision.js';
import type { ReplicaState, RouteState } from '../lifecycle/state.js';
import { type RouteCandidate, drainingTargets, isSameTarget, wantedTargets } from './targets.js';
import { snapshotDigest } from './view.js';

/**
 * Router-registry's next step for an alias: the differences, and one snapshot that holds the outcome.
 * @param candidates replicas of every deployment that serves, or served, under the alias
 */
export function decideRoutes(
  alias: string,
  route: RouteState | undefined,
  candidates: readonly RouteCandidate[],
): Decision {
  const present: Pick<RouteState, 'targets' | 'draining'> = route ?? { targets: [], draining: [] };
  const snapshot = (route?.snapshot ?? 0) + 1;
  const held = byReplicaId(present.targets);
  const targets = wantedTargets(alias, candidates).map((wanted): RouteTarget => {
    const same = held.get(wanted.replica);
    return same && isSameTarget(wanted, same) ? same : { ...wanted, generation: snapshot };
  });
  const serving = byReplicaId(targets);
  const serves = (replica: string): boolean => serving.has(replica);
  const draining = drainingTargets(present, candidates).filter(({ replica }) => !serves(replica));
  const leaving = byReplicaId(draining);
  const drains = (replica: string) => leaving.get(replica);
  const replicaOf = (id: string) => candidates.find(({ replica }) => replica.id === id)?.replica;

  const changes: NewEvent[] = [
    ...present.targets
      .filter(({ replica }) => !serves(replica))
      .map((target): NewEvent => {
        const drainUntil = drains(target.replica)?.drainUntil;
        const { replica, generation } = target;
        const reason = withdrawalReason(replicaOf(replica));
        const until = drainUntil === undefined ? {} : { drainUntil };
        return {
          type: 'davit.route.withdrawn',
          data: { alias, snapshot, replica, reason, ...ofGeneration(generation), ...until },
        };
      }),
    ...present.draining
      .filter(({ replica }) => !drains(replica) && !serves(replica))
      .map(({ replica, generation }): NewEvent => {
        const ended = replicaOf(replica)?.drain?.ended ?? { outcome: 'gone', cutRequests: null };
        return {
          type: 'davit.route.drained',
          data: { alias, snapshot, replica, ...ofGeneration(generation), ...ended },
        };
      }),
    ...targets
      .filter((target) => held.get(target.replica) !== target)
      .map((target): NewEvent => ({ type: 'davit.route.registered', data: { alias, snapshot, target } })),
  ];
  const [first, ...rest] = changes;
  if (!first) return NOTHING;
  const published: NewEvent = {
    type: 'davit.route.snapshot-published',
    data: {
      alias,
      snapshot,
      targets,
      ...(draining.length === 0 ? {} : { draining: [...draining] }),
      digest: snapshotDigest({ targets, draining }),
    },
  };
  return {
    writes: [
      { stream: stream.route(alias), expectedVersion: route?.version ?? 0, events: [first, ...rest, published] },
    ],
    wakeAtMs: null,
  };
}

const byReplicaId = <Target extends { readonly replica: string }>(
  targets: readonly Target[],
): ReadonlyMap<string, Target> => new Map(targets.map((target) => [target.replica, target]));

const ofGeneration = (generation: number | undefined) => (generation === undefined ? {} : { generation });

function withdrawalReason(replica: ReplicaState | undefined): string {
  if (!replica) return 'the replica is gone';
  if (replica.status === 'draining') return `draining: ${replica.reason}`;
  if (replica.status !== 'ready') return `${replica.status}: ${replica.reason}`;
  if (replica.runtime?.status === 'unready')
    return `runtime ${replica.runtime.reason ?? 'unready'}: ${replica.runtime.detail}`;
  if (replica.absence.observedAt.length > 0) return 'the resource was not there when looked for';
  return 'its deployment no longer asks for this alias';
}
