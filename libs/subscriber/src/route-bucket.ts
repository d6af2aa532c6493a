import {
  ROUTES_BUCKET,
  type RouteView,
  WITHHELD_KEY,
  routeCacheKey,
  routeView,
  withheldAliases,
} from '@davit/contracts';
import { type KV, type NatsConnection, NatsError } from 'nats';

/** What the cache of the broker holds. An entry that cannot be read is of another version, and comes from the log instead. */
export async function listRoutes(connection: NatsConnection): Promise<readonly RouteView[]> {
  return (await listBucket(connection)).views;
}

/** `keys` also of what could not be read. */
export type BucketList = { readonly keys: readonly string[]; readonly views: readonly RouteView[] };

export async function listBucket(connection: NatsConnection): Promise<BucketList> {
  // Readers may not make the bucket; while the registry has not, as right after the broker lost everything, nothing is in it.
  if ((await keysHeld(connection)) === undefined) return { keys: [], views: [] };
  const bucket = await open(connection);
  // All keys first: the client ends the list early when it is asked for something else in between.
  const keys: string[] = [];
  for await (const key of await bucket.keys()) keys.push(key);
  return { keys, views: await readAll(bucket, keys) };
}

/** What the cache holds of some aliases. */
export async function readRoutes(
  connection: NatsConnection,
  aliases: readonly string[],
): Promise<readonly RouteView[]> {
  return aliases.length === 0 ? [] : readAll(await open(connection), aliases.map(routeCacheKey));
}

/** Aliases of which targets are withheld at present; none where the list cannot be read. */
export async function listWithheld(connection: NatsConnection): Promise<readonly string[]> {
  const entry = await (await open(connection)).get(WITHHELD_KEY);
  return withheldAliases.safeParse(entry?.json()).data ?? [];
}

const open = (connection: NatsConnection): Promise<KV> =>
  connection.jetstream().views.kv(ROUTES_BUCKET, { bindOnly: true });

async function readAll(bucket: KV, keys: readonly string[]): Promise<readonly RouteView[]> {
  const views: RouteView[] = [];
  for (const key of keys) {
    const entry = await bucket.get(key);
    const parsed = routeView.safeParse(entry && entry.operation === 'PUT' ? entry.json() : undefined);
    if (parsed.success) views.push(parsed.data);
  }
  return views.sort((a, b) => (a.alias < b.alias ? -1 : 1));
}

/** Number of keys in the bucket, asked for with one small request; undefined where there is no bucket. */
export async function keysHeld(connection: NatsConnection): Promise<number | undefined> {
  return (await stateOf(connection, `KV_${ROUTES_BUCKET}`))?.num_subjects;
}

/** The first position that the broker still holds; undefined where it has no log. */
export async function firstHeld(connection: NatsConnection): Promise<number | undefined> {
  return (await stateOf(connection, 'LOG'))?.first_seq;
}

type StreamState = { readonly first_seq: number; readonly num_subjects?: number };

async function stateOf(connection: NatsConnection, stream: string): Promise<StreamState | undefined> {
  const manager = await connection.jetstreamManager({ checkAPI: false });
  try {
    const { state } = await manager.streams.info(stream);
    return state;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === 404) return undefined;
    throw error;
  }
}
