import { type NewEvent, type RouteTarget, stream } from '@davit/contracts';
import { digestOf } from '../canonical.js';
import { type Decision, NOTHING } from '../decision.js';
import type { ReplicaState, RouteState } from '../lifecycle/state.js';

/**
 * The route table an alias should have: one target for each incarnation that is ready, with runtime evidence, not drained,
 * and not seen to be gone (law 11).
 */
function desiredTargets(replicas: readonly ReplicaState[]): readonly RouteTarget[] {
  return replicas.flatMap((replica) => {
    const { runtime } = replica;
    if (replica.status !== 'ready' || runtime?.status !== 'ready' || runtime.servedModel === null) return [];
    if (replica.absence.observedAt.length > 0) return [];
    const { id, deployment, revision } = replica;
    return [{ replica: id, deployment, revision, url: runtime.url, model: runtime.servedModel }];
  });
}

/** Router-registry's next step for an alias: the differences, and one snapshot that holds the outcome. */
export function decideRoutes(
  alias: string,
  route: RouteState | undefined,
  replicas: readonly ReplicaState[],
): Decision {
  const wanted = desiredTargets(replicas).toSorted((a, b) => (a.replica < b.replica ? -1 : 1));
  const present = route?.targets ?? [];
  const snapshot = (route?.snapshot ?? 0) + 1;
  const same = (a: RouteTarget, b: RouteTarget): boolean =>
    a.replica === b.replica && a.url === b.url && a.model === b.model;
  const changes: NewEvent[] = [
    ...present
      .filter((target) => !wanted.some(({ replica }) => replica === target.replica))
      .map(({ replica }): NewEvent => ({
        type: 'davit.route.withdrawn',
        data: { alias, snapshot, replica, reason: withdrawalReason(replicas.find(({ id }) => id === replica)) },
      })),
    ...wanted
      .filter((target) => !present.some((other) => same(other, target)))
      .map((target): NewEvent => ({ type: 'davit.route.registered', data: { alias, snapshot, target } })),
  ];
  const [first, ...rest] = changes;
  if (!first) return NOTHING;
  const published: NewEvent = {
    type: 'davit.route.snapshot-published',
    data: { alias, snapshot, targets: [...wanted], digest: digestOf(wanted) },
  };
  return {
    writes: [
      { stream: stream.route(alias), expectedVersion: route?.version ?? 0, events: [first, ...rest, published] },
    ],
    wakeAtMs: null,
  };
}

function withdrawalReason(replica: ReplicaState | undefined): string {
  if (!replica) return 'the replica is gone';
  if (replica.status === 'draining') return `draining: ${replica.reason}`;
  if (replica.status !== 'ready') return `${replica.status}: ${replica.reason}`;
  if (replica.runtime?.status === 'unready')
    return `runtime ${replica.runtime.reason ?? 'unready'}: ${replica.runtime.detail}`;
  return 'the resource was not there when looked for';
}
