import { stream } from '@davit/contracts';
import {
  type DeploymentState,
  type ReplicaState,
  type RouteCandidate,
  type RouteState,
  type Write,
  aliasOf,
  decideRoutes,
  groupOf,
} from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import type { AppendOptions, Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import { News } from './news.js';

/**
 * Keeps the route table of each model alias equal to what runtime evidence allows (law 11). Passes begin only after the read
 * model is restored, so that a start publishes nothing that the log does not already say.
 */
export function routesController(): Controller {
  /** Aliases of each deployment that has more than its served name: a replica alone does not tell them. */
  const furtherAliases = new Map<string, readonly string[]>();
  const news = new News();
  return {
    name: 'routes',
    keysOf(ref, document) {
      if (document === undefined || !news.take(ref, document)) return [];
      if (ref.kind === 'route') return [ref.key];
      // The lifecycle fold keeps documents of one shape under each of these kinds.
      if (ref.kind === 'deployment') {
        const { key, aliases } = document as DeploymentState;
        if (aliases.length > 1) furtherAliases.set(key, aliases);
        return aliases;
      }
      const replica = document as ReplicaState;
      return [aliasOf(replica), ...(furtherAliases.get(replica.deployment) ?? [])];
    },
    reconcile: (context) => reconcile(context, news),
  };
}

async function reconcile(context: ReconcileContext, news: News): Promise<ReconcileResult> {
  const alias = context.key;
  const [stored, candidates] = await Promise.all([
    context.model.get<RouteState>('route', alias),
    candidatesFor(alias, context.model),
  ]);
  const route = stored?.document;
  const [write] = decideRoutes(alias, route, candidates).writes;
  if (!write) {
    if (route) news.settle(alias, route.version);
    return {};
  }
  const replicas = candidates.map(({ replica }) => replica);
  const tenant = (route ?? replicas[0])?.tenant ?? alias.slice(0, alias.indexOf('/'));
  const correlationId = sharedCorrelation(write, replicas);
  const result = await context.append([write], {
    tenant,
    requires: proofOf(write, replicas),
    ...(correlationId === null ? {} : { correlationId }),
  });
  if (result.outcome === 'appended') news.settle(alias, result.events.at(-1)?.version ?? 0);
  context.logger.info({ alias, outcome: result.outcome, changes: write.events.length - 1 }, 'route table changed');
  return {};
}

/** Replicas that serve, or served, under an alias: by their served name, or by a further name of their deployment. */
async function candidatesFor(alias: string, model: ReadModel): Promise<readonly RouteCandidate[]> {
  const [byName, owners] = await Promise.all([
    model.list<ReplicaState>('replica', groupOf.alias(alias)),
    model.list<DeploymentState>('deployment', groupOf.alias(alias)),
  ]);
  const deployments = owners.map(({ document }) => document);
  const named = deployments.filter(({ tenant, aliases }) => aliases.length > 1 && alias.startsWith(`${tenant}/`));
  const further = await Promise.all(named.map(({ key }) => model.list<ReplicaState>('replica', groupOf.present(key))));
  const replicas = new Map([byName, ...further].flat().map(({ document }) => [document.id, document]));
  return [...replicas.values()].map((replica) => ({
    replica,
    deployment: deployments.find(({ key }) => key === replica.deployment),
  }));
}

/**
 * What a registration rests on: the runtime's evidence and the replica's life, unchanged up to the commit. Withdrawals need no
 * proof.
 */
function proofOf(write: Write, replicas: readonly ReplicaState[]): NonNullable<AppendOptions['requires']> {
  const registered = new Set(
    write.events.flatMap((event) => (event.type === 'davit.route.registered' ? [event.data.target.replica] : [])),
  );
  return replicas
    .filter(({ id }) => registered.has(id))
    .flatMap(({ id, versions }) => [
      { stream: stream.runtime(id), version: versions.runtime },
      { stream: stream.replica(id), version: versions.replica },
    ]);
}

/** The correlation of the changed replicas, when all of them changed for the same intent. */
function sharedCorrelation(write: Write, replicas: readonly ReplicaState[]): string | null {
  const changed = write.events.flatMap((event) => {
    if (event.type === 'davit.route.registered') return [event.data.target.replica];
    return event.type === 'davit.route.withdrawn' || event.type === 'davit.route.drained' ? [event.data.replica] : [];
  });
  const correlations = new Set(
    changed.map((id) => replicas.find((replica) => replica.id === id)?.correlationId ?? null),
  );
  const [only = null] = correlations;
  return correlations.size === 1 ? only : null;
}
