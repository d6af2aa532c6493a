import { DEFAULT_WEIGHT, type DrainingTarget, type RouteTarget } from '@davit/contracts';
import { byReplica } from '../lifecycle/evolve-route.js';
import { type DeploymentState, type ReplicaState, type RouteState, aliasOf } from '../lifecycle/state.js';

/** A replica that could serve under an alias, and its deployment where that is known. */
export type RouteCandidate = { readonly replica: ReplicaState; readonly deployment: DeploymentState | undefined };

/** A target before it has a generation. */
export type WantedTarget = Omit<RouteTarget, 'generation'>;

/**
 * The targets an alias should have: one for each incarnation that is ready, with runtime evidence, not drained, and not seen to
 * be gone (law 11).
 */
export function wantedTargets(alias: string, candidates: readonly RouteCandidate[]): readonly WantedTarget[] {
  return candidates
    .flatMap(({ replica, deployment }) => {
      const { runtime } = replica;
      if (!isProven(replica) || !runtime || runtime.servedModel === null) return [];
      if (!answersTo(alias, replica, deployment)) return [];
      return [targetOf(replica, { url: runtime.url, model: runtime.servedModel }, deployment)];
    })
    .sort(byReplica);
}

/** New requests may go to it: it is ready, its runtime shows so, and it was not missed when looked for. */
export const isProven = ({ status, runtime, absence }: ReplicaState): boolean =>
  status === 'ready' && runtime?.status === 'ready' && absence.observedAt.length === 0;

/** Requests that it has may end: its drain goes on, and its server lives. */
export const isDraining = ({ status, drain, runtime }: ReplicaState): boolean =>
  status === 'draining' && drain !== null && runtime?.status === 'ready';

/**
 * Targets of a snapshot whose proof has ended since it was published: router-registry withdraws them at its next look.
 * @param replicaOf the present state of a replica; undefined for one that is gone
 */
export const outlivedTargets = (
  { targets, draining }: Pick<RouteState, 'targets' | 'draining'>,
  replicaOf: (id: string) => ReplicaState | undefined,
): readonly RouteTarget[] => {
  const ended = (holds: (replica: ReplicaState) => boolean) => (target: RouteTarget) => {
    const replica = replicaOf(target.replica);
    return replica === undefined || !holds(replica);
  };
  return [...targets.filter(ended(isProven)), ...draining.filter(ended(isDraining))];
};

/** A replica keeps the name that it serves for life; further names are those that its deployment asks for now. */
const answersTo = (alias: string, replica: ReplicaState, deployment: DeploymentState | undefined): boolean =>
  aliasOf(replica) === alias ||
  (deployment?.spec.spec.routing?.aliases ?? []).some((name) => `${replica.tenant}/${name}` === alias);

const targetOf = (
  { id, deployment: owner, revision, incarnation, price, runtime }: ReplicaState,
  server: Pick<RouteTarget, 'url' | 'model'>,
  deployment: DeploymentState | undefined,
): WantedTarget => ({
  replica: id,
  deployment: owner,
  revision,
  incarnation,
  ...server,
  adapters: [...(runtime?.adapters ?? [])],
  weight: deployment?.spec.spec.routing?.weight ?? DEFAULT_WEIGHT,
  labels: deployment?.spec.metadata.labels ?? {},
  price,
});

/** A price is a hint: news of it alone are no reason to register anew. */
export const isSameTarget = (wanted: WantedTarget, present: RouteTarget): boolean =>
  wanted.replica === present.replica &&
  wanted.incarnation === present.incarnation &&
  wanted.url === present.url &&
  wanted.model === present.model &&
  wanted.weight === present.weight &&
  isSameList(wanted.adapters, present.adapters) &&
  isSameList(pairsOf(wanted.labels), pairsOf(present.labels));

const isSameList = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a === b || (a !== undefined && a.length === b?.length && a.every((one, index) => one === b[index]));

/** `key=value` in the order of the keys, which differs between what was declared and what was read back. */
const pairsOf = (labels: Readonly<Record<string, string>> | undefined): readonly string[] | undefined =>
  labels &&
  Object.entries(labels)
    .map(([name, value]) => JSON.stringify([name, value]))
    .sort();

/** Targets that lose their new requests and keep those they have: their drain goes on, and their server lives. */
export function drainingTargets(
  route: Pick<RouteState, 'targets' | 'draining'>,
  candidates: readonly RouteCandidate[],
): readonly DrainingTarget[] {
  const replicas = new Map(candidates.map(({ replica }) => [replica.id, replica]));
  return [...route.targets, ...route.draining]
    .flatMap((target) => {
      const replica = replicas.get(target.replica);
      if (!replica?.drain || !isDraining(replica)) return [];
      return [{ ...target, drainUntil: replica.drain.deadlineAt }];
    })
    .sort(byReplica);
}
