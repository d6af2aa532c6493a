import { type RouteView, WITHHELD_KEY, routeCacheKey } from '@davit/contracts';
import { type NatsConnection, NatsError } from 'nats';
import { type FollowOptions, PositionLostError, followLog } from './follow-log.js';
import { merge } from './merge.js';
import { pause } from './pause.js';
import { firstHeld, keysHeld, listBucket, listWithheld, readRoutes } from './route-bucket.js';
import { RouteSet } from './route-set.js';

export type FollowRoutesOptions = Pick<FollowOptions, 'signal' | 'onTrouble'> & {
  /** Pause between two looks whether the cache holds what did not come yet, in milliseconds. Default 10 000. */
  readonly lookEveryMs?: number;
};

const LOOK_EVERY_MS = 10_000;

/**
 * The present snapshot of every alias, then each new one. What the cache of the broker lacks at the beginning, such as right after the
 * broker lost everything or while the registry could not write an entry, comes as soon as it is there: nothing is taken for empty
 * that no event emptied. A snapshot comes again without targets that lost their proof and are not withdrawn in time, and with them once
 * they are proven anew. Where the broker no longer holds what comes next, the present snapshots are listed anew.
 * @throws InvalidEventError for an event of a newer Davit that this library cannot read
 */
export async function* followRoutes(
  connection: NatsConnection,
  options: FollowRoutesOptions = {},
): AsyncGenerator<RouteView> {
  const ended = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal;
  const { onTrouble = () => undefined } = options;
  const present = new PresentRoutes(connection);
  try {
    while (!signal.aborted) {
      const after = yield* present.begin();
      try {
        yield* merge([
          changes(connection, present.routes, { ...options, signal, after }),
          latecomers(present, { ...options, signal }),
        ]);
      } catch (error) {
        if (!(error instanceof PositionLostError)) throw error;
        onTrouble(error.message);
      }
    }
  } finally {
    ended.abort();
  }
}

/** What a follower has, and how far the cache of the broker tells it more. */
class PresentRoutes {
  readonly routes = new RouteSet();
  private readonly keys = new Set<string>();

  constructor(private readonly connection: NatsConnection) {}

  /** Yields the present snapshots; returns the position after which changes are to be read. */
  async *begin(): AsyncGenerator<RouteView, number> {
    const held = yield* this.list();
    // The cache may be behind the log, never ahead of it: what lies between comes again, and changes nothing twice.
    const after = held.reduce((oldest, { position }) => Math.min(oldest, position), Number.POSITIVE_INFINITY);
    // An alias may rest for longer than the broker keeps events.
    const kept = ((await firstHeld(this.connection)) ?? 1) - 1;
    return Math.max(Number.isFinite(after) ? after : 0, kept);
  }

  /** Yields what is news in the cache. */
  async *list(): AsyncGenerator<RouteView, readonly RouteView[]> {
    const { keys, views } = await listBucket(this.connection);
    for (const key of keys) this.keys.add(key);
    yield* this.news(views);
    return views;
  }

  /** Yields what became of targets that were withheld, and those that are withheld by now. */
  async *lookAgain(): AsyncGenerator<RouteView> {
    // The list is made when it is needed first: until then it is not asked for.
    const withheld = this.keys.has(WITHHELD_KEY) ? await listWithheld(this.connection) : [];
    const partial = this.routes.all().filter((view) => view.withheld !== undefined);
    const aliases = new Set([...withheld, ...partial.map(({ alias }) => alias)]);
    yield* this.news(await readRoutes(this.connection, [...aliases]));
  }

  private *news(views: readonly RouteView[]): Generator<RouteView> {
    for (const view of views) if (this.routes.take(view)) yield view;
  }

  /** True when the cache holds an alias of which nothing was heard. */
  async isIncomplete(): Promise<boolean> {
    for (const { alias } of this.routes.all()) this.keys.add(routeCacheKey(alias));
    return ((await keysHeld(this.connection)) ?? 0) > this.keys.size;
  }
}

async function* changes(
  connection: NatsConnection,
  routes: RouteSet,
  options: FollowOptions,
): AsyncGenerator<RouteView> {
  for await (const event of followLog(connection, { ...options, types: ['davit.route.snapshot-published'] })) {
    if (event.type !== 'davit.route.snapshot-published') continue;
    const { position, tenant } = event;
    const { alias, snapshot, targets, draining = [], digest } = event.data;
    const model = alias.slice(tenant.length + 1);
    const view = { alias, tenant, model, snapshot, targets, draining, digest, position };
    if (routes.take(view)) yield view;
  }
}

/**
 * What no event tells: aliases whose first entry came into the cache only after it was listed, from before the position that is read on
 * from, targets that lost their proof and were not withdrawn, and those of them that are proven again.
 */
async function* latecomers(
  present: PresentRoutes,
  { signal, lookEveryMs = LOOK_EVERY_MS, onTrouble = () => undefined }: FollowRoutesOptions,
): AsyncGenerator<RouteView> {
  for (;;) {
    await pause(lookEveryMs, signal);
    if (signal?.aborted === true) return;
    try {
      yield* (await present.isIncomplete()) ? present.list() : present.lookAgain();
    } catch (error) {
      // Looked at again after the next pause.
      if (!(error instanceof NatsError)) throw error;
      onTrouble(error.message);
    }
  }
}
