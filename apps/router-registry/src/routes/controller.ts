import { stream } from '@davit/contracts';
import { type ReplicaState, type RouteState, aliasOf, decideRoutes, groupOf } from '@davit/domain';
import type { Document, DocumentRef } from '@davit/projection';
import type { AppendOptions, Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import type { Write } from '@davit/domain';

/**
 * Keeps the route table of each model alias equal to what runtime evidence allows (law 11). Passes begin only after the read
 * model is restored, so that a start publishes nothing that the log does not already say.
 */
export function routesController(): Controller {
  return { name: 'routes', keysOf: aliasesOf, reconcile };
}

function aliasesOf(ref: DocumentRef, document: Document | undefined): readonly string[] {
  if (ref.kind === 'route') return [ref.key];
  if (ref.kind !== 'replica' || document === undefined) return [];
  return [aliasOf(document as ReplicaState)]; // the lifecycle fold keeps replicas under this kind
}

async function reconcile(context: ReconcileContext): Promise<ReconcileResult> {
  const alias = context.key;
  const [route, replicas] = await Promise.all([
    context.model.get<RouteState>('route', alias),
    context.model.list<ReplicaState>('replica', groupOf.alias(alias)),
  ]);
  const states = replicas.map(({ document }) => document);
  const [write] = decideRoutes(alias, route?.document, states).writes;
  if (!write) return {};
  const tenant = tenantOf(route?.document ?? states[0], alias);
  const correlationId = sharedCorrelation(write, states);
  const result = await context.append([write], {
    tenant,
    requires: proofOf(write, states),
    ...(correlationId === null ? {} : { correlationId }),
  });
  context.logger.info({ alias, outcome: result.outcome, changes: write.events.length - 1 }, 'route table changed');
  return {};
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

const tenantOf = (document: RouteState | ReplicaState | undefined, alias: string): string =>
  document?.tenant ?? alias.slice(0, alias.indexOf('/'));

/** The correlation of the changed replicas, when all of them changed for the same intent. */
function sharedCorrelation(write: Write, replicas: readonly ReplicaState[]): string | null {
  const changed = write.events.flatMap((event) => {
    if (event.type === 'davit.route.registered') return [event.data.target.replica];
    return event.type === 'davit.route.withdrawn' ? [event.data.replica] : [];
  });
  const correlations = new Set(
    changed.map((id) => replicas.find((replica) => replica.id === id)?.correlationId ?? null),
  );
  const [only = null] = correlations;
  return correlations.size === 1 ? only : null;
}
