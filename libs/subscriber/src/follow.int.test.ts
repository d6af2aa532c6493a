import { type RouteView, WITHHELD_KEY, routeCacheKey, ROUTES_BUCKET } from '@davit/contracts';
import { type NatsBroker, eventually, startNats } from '@davit/test-support';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NatsConnection, connect } from 'nats';
import { PositionLostError, followLog } from './follow-log.js';
import { followRoutes } from './follow-routes.js';

const ALIAS = 'default/Qwen/Qwen3:8B';

describe('following the log', () => {
  let broker: NatsBroker;
  let connection: NatsConnection;
  beforeAll(async () => {
    broker = await startNats();
    connection = await connect({ servers: broker.url, maxReconnectAttempts: -1, reconnectTimeWait: 200 });
    const manager = await connection.jetstreamManager();
    await manager.streams.add({ name: 'LOG', subjects: ['davit.log.>'] });
  }, 60_000);
  afterAll(async () => {
    await connection.close();
    await broker.dispose();
  }, 60_000);

  const envelope = (type: string, position: number, data: object): string =>
    JSON.stringify({
      ...{
        specversion: '1.0',
        id: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
        source: '/davit/test',
      },
      ...{
        type,
        subject: ALIAS,
        time: '2026-01-01T00:00:00.000Z',
        dataschema: `davit:${type.slice(6)}:v1`,
        tenant: 'default',
      },
      ...{ datacontenttype: 'application/json', stream: `route/${ALIAS}`, version: position, position, data },
    });
  let position = 0;
  async function publish(type: 'snapshot-published' | 'withdrawn', snapshot: number): Promise<void> {
    position += 1;
    const data =
      type === 'withdrawn'
        ? { alias: ALIAS, snapshot, replica: 'default/qwen-1-0-1', reason: 'x' }
        : { alias: ALIAS, snapshot, targets: [], digest: '0'.repeat(64) };
    await connection.jetstream().publish(`davit.log.route.${type}`, envelope(`davit.route.${type}`, position, data));
  }

  it('yields what follows a position, of the types that are asked for, and goes on when the broker was restarted', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    await publish('snapshot-published', 1);
    await publish('withdrawn', 2);
    await publish('snapshot-published', 2);
    const following = (async () => {
      const events = followLog(connection, {
        after: 1,
        types: ['davit.route.snapshot-published'],
        signal: stop.signal,
      });
      for await (const event of events) seen.push(event.position);
    })();
    await eventually(() => String(seen) === '3');
    await broker.restart();
    await eventually(async () => (await publish('snapshot-published', 3), true), { timeoutMs: 30_000 });
    await eventually(() => seen.length === 2, { timeoutMs: 30_000 });
    expect(new Set(seen).size).toBe(seen.length);
    stop.abort();
    await following;
  }, 90_000);

  it('says where to read on when the broker no longer holds what follows', async () => {
    const manager = await connection.jetstreamManager();
    await manager.streams.purge('LOG', { seq: 3 });
    const next = followLog(connection, { after: 1 }).next();
    await expect(next).rejects.toThrow(PositionLostError);
    await expect(followLog(connection, { after: 1 }).next()).rejects.toThrow('GET /v1/events?after=1');
  });

  it('ends when its reader stops, and when it is told to at any moment of its beginning', async () => {
    const { first_seq: first } = (await (await connection.jetstreamManager()).streams.info('LOG')).state;
    for await (const { position: at } of followLog(connection, { after: first - 1 })) if (at >= first) break;
    for (let turn = 0; turn < 60; turn++) {
      const stop = new AbortController();
      const next = followLog(connection, { after: 'head', signal: stop.signal }).next();
      for (let wait = 0; wait < turn; wait++) await new Promise((resolve) => setImmediate(resolve));
      stop.abort();
      expect(await next).toEqual({ done: true, value: undefined });
    }
  }, 60_000);

  it('begins with the present routes, and yields each new snapshot once', async () => {
    const bucket = await connection.jetstream().views.kv(ROUTES_BUCKET, { history: 1 });
    const { last_seq: last } = (await (await connection.jetstreamManager()).streams.info('LOG')).state;
    const held: RouteView = {
      ...{ alias: ALIAS, tenant: 'default', model: 'Qwen/Qwen3:8B', targets: [], draining: [], digest: '0'.repeat(64) },
      snapshot: 3,
      position: last,
    };
    await bucket.put(routeCacheKey(ALIAS), JSON.stringify(held));
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const { snapshot, model } of followRoutes(connection, { signal: stop.signal })) {
        expect(model).toBe('Qwen/Qwen3:8B');
        seen.push(snapshot);
      }
    })();
    await eventually(() => String(seen) === '3');
    await publish('snapshot-published', 4);
    await publish('snapshot-published', 4);
    await publish('snapshot-published', 5);
    await eventually(() => String(seen) === '3,4,5');
    stop.abort();
    await following;
  }, 60_000);

  describe('what the cache lacks at the beginning', () => {
    const viewOf = (alias: string, at: number): RouteView => ({
      ...{ alias, tenant: 'default', model: alias.slice('default/'.length), targets: [], draining: [] },
      ...{ digest: '0'.repeat(64), snapshot: 1, position: at },
    });
    const put = async (view: RouteView): Promise<void> => {
      const bucket = await connection.jetstream().views.kv(ROUTES_BUCKET, { history: 1 });
      await bucket.put(routeCacheKey(view.alias), JSON.stringify(view));
    };
    const lastPosition = async (): Promise<number> =>
      (await (await connection.jetstreamManager()).streams.info('LOG')).state.last_seq;

    it('comes as soon as it is there, although its events are from before those that are read on from', async () => {
      const late = viewOf('default/written-late', await lastPosition());
      await publish('snapshot-published', 6);
      await put({ ...viewOf(ALIAS, await lastPosition()), snapshot: 6 });
      const stop = new AbortController();
      const seen: string[] = [];
      const following = (async () => {
        for await (const { alias } of followRoutes(connection, { signal: stop.signal, lookEveryMs: 100 }))
          seen.push(alias);
      })();
      await eventually(() => String(seen) === ALIAS);
      await put(late);
      await eventually(() => seen.includes(late.alias));
      await publish('snapshot-published', 7);
      await eventually(() => seen.length === 3);
      expect(seen).toEqual([ALIAS, late.alias, ALIAS]);
      stop.abort();
      await following;
    }, 60_000);

    it('comes when targets are withheld of a snapshot that is whole here, and when they are proven again, without a new one and not by the old event', async () => {
      const alias = 'default/withheld';
      await put(viewOf('default/older', await lastPosition()));
      await publish('snapshot-published', 8);
      const shown = { ...viewOf(alias, await lastPosition()), digest: '1'.repeat(64), withheld: 1 };
      await put(shown);
      await put({ ...viewOf(ALIAS, position), snapshot: 8, digest: '2'.repeat(64), withheld: 1 });
      const seen: string[] = [];
      const bucket = await connection.jetstream().views.kv(ROUTES_BUCKET, { history: 1 });
      for await (const view of followRoutes(connection, { lookEveryMs: 100 })) {
        if (view.alias !== alias && view.alias !== ALIAS) continue;
        seen.push(`${view.alias} ${view.digest[0] ?? ''}`);
        if (seen.length === 2) await put(viewOf(alias, shown.position + 1));
        if (seen.length === 3) {
          await put({ ...shown, digest: '3'.repeat(64), position: shown.position + 2 });
          await bucket.put(WITHHELD_KEY, JSON.stringify([alias]));
        }
        if (seen.length === 4) break;
      }
      expect(seen).toEqual([`${ALIAS} 2`, `${alias} 1`, `${alias} 0`, `${alias} 3`]);
    }, 60_000);

    it('keeps nobody from following, when an alias has rested for longer than the broker keeps events', async () => {
      await put(viewOf('default/at-rest', 1));
      await (await connection.jetstreamManager()).streams.purge('LOG', { seq: await lastPosition() });
      const seen: string[] = [];
      const routes = followRoutes(connection, { lookEveryMs: 100 });
      for await (const { alias, snapshot } of routes) {
        seen.push(`${alias} ${snapshot}`);
        if (snapshot === 9) break;
        if (alias === ALIAS) await publish('snapshot-published', 9);
      }
      expect(seen).toContain('default/at-rest 1');
    }, 60_000);
  });
});
