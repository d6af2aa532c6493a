import { ROUTES_BUCKET, type RouteView, routeView } from '@davit/contracts';
import { type KV, type NatsConnection, NatsError } from 'nats';
import { type FollowOptions, followLog } from './follow-log.js';
import { RouteSet } from './route-set.js';

/**
 * The present snapshot of every alias, then each new one. What the cache of the broker lacks at the beginning, such as right after the
 * broker lost everything, comes as soon as it is there again: nothing is taken for empty that no event emptied.
 */
export async function* followRoutes(
  connection: NatsConnection,
  options: Pick<FollowOptions, 'signal' | 'onTrouble'> = {},
): AsyncGenerator<RouteView> {
  const routes = new RouteSet();
  const present = await listRoutes(connection);
  for (const view of present) if (routes.take(view)) yield view;
  // The cache may be behind the log, never ahead of it: what lies between comes again, and changes nothing twice.
  const after = present.reduce((oldest, { position }) => Math.min(oldest, position), Number.POSITIVE_INFINITY);
  const events = followLog(connection, {
    ...options,
    types: ['davit.route.snapshot-published'],
    after: Number.isFinite(after) ? after : 0,
  });
  for await (const { type, data, position, tenant } of events) {
    if (type !== 'davit.route.snapshot-published') continue;
    const { alias, snapshot, targets, draining = [], digest } = data;
    const view = {
      alias,
      tenant,
      model: alias.slice(tenant.length + 1),
      snapshot,
      targets,
      draining,
      digest,
      position,
    };
    if (routes.take(view)) yield view;
  }
}

/** What the cache of the broker holds. An entry that cannot be read is of another version, and comes from the log instead. */
export async function listRoutes(connection: NatsConnection): Promise<readonly RouteView[]> {
  const bucket = await existingBucket(connection);
  if (!bucket) return [];
  // All keys first: the client ends the list early when it is asked for something else in between.
  const keys: string[] = [];
  for await (const key of await bucket.keys()) keys.push(key);
  const views: RouteView[] = [];
  for (const key of keys) {
    const entry = await bucket.get(key);
    const parsed = routeView.safeParse(entry && entry.operation === 'PUT' ? entry.json() : undefined);
    if (parsed.success) views.push(parsed.data);
  }
  return views.sort((a, b) => (a.alias < b.alias ? -1 : 1));
}

/** Readers may not make the bucket; while the registry has not, as right after the broker lost everything, there is nothing in it. */
async function existingBucket(connection: NatsConnection): Promise<KV | undefined> {
  const manager = await connection.jetstreamManager({ checkAPI: false });
  try {
    await manager.streams.info(`KV_${ROUTES_BUCKET}`);
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === 404) return undefined;
    throw error;
  }
  return connection.jetstream().views.kv(ROUTES_BUCKET, { bindOnly: true });
}
