import { DEFAULT_WEIGHT, type DrainingTarget, type RouteTarget } from '@davit/contracts';
import { digestOf } from '../canonical.js';
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
      if (replica.status !== 'ready' || runtime?.status !== 'ready' || runtime.servedModel === null) return [];
      if (replica.absence.observedAt.length > 0 || !answersTo(alias, replica, deployment)) return [];
      return [targetOf(replica, { url: runtime.url, model: runtime.servedModel }, deployment)];
    })
    .sort(byReplica);
}

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
  digestOf(facts(wanted)) === digestOf(facts(present));

const facts = ({ replica, url, model, adapters, weight, labels, incarnation }: WantedTarget): unknown => [
  replica,
  url,
  model,
  adapters ?? null,
  weight ?? null,
  labels ?? null,
  incarnation ?? null,
];

/** Targets that lose their new requests and keep those they have: their drain goes on, and their server lives. */
export function drainingTargets(
  route: Pick<RouteState, 'targets' | 'draining'>,
  candidates: readonly RouteCandidate[],
): readonly DrainingTarget[] {
  return [...route.targets, ...route.draining]
    .flatMap((target) => {
      const replica = candidates.find(({ replica: { id } }) => id === target.replica)?.replica;
      if (replica?.status !== 'draining' || !replica.drain || replica.runtime?.status !== 'ready') return [];
      return [{ ...target, drainUntil: replica.drain.deadlineAt }];
    })
    .sort(byReplica);
}
