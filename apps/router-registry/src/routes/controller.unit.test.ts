import { type NewEvent, stream } from '@davit/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Controller } from '@davit/reconcile';
import { routerRegistryControllers } from '../index.js';
import { KEY, Stage, declared, requested } from '@davit/stage';

const ALIAS = 'default/qwen';
const id = (ordinal: number): string => `${KEY}-1-${ordinal}-1`;
const url = (ordinal: number): string => `http://10.0.0.${ordinal + 1}:8000`;

const launchRequested = (ordinal: number): NewEvent => ({
  type: 'davit.replica.launch-requested',
  data: { replicaId: id(ordinal), attempt: 1, deadlineAt: '2026-01-01T00:30:00.000Z' },
});
const ready = (ordinal: number): NewEvent => ({
  type: 'davit.replica.ready',
  data: { replicaId: id(ordinal), url: url(ordinal), servedModel: 'qwen' },
});
const becameReady = (ordinal: number): NewEvent => ({
  type: 'davit.runtime.became-ready',
  data: {
    replicaId: id(ordinal),
    url: url(ordinal),
    servedModel: 'qwen',
    evidence: { healthMs: 1, modelsMs: 1, inferenceMs: 1 },
  },
});
const becameUnready = (ordinal: number): NewEvent => ({
  type: 'davit.runtime.became-unready',
  data: { replicaId: id(ordinal), url: url(ordinal), reason: 'refused', detail: 'x', consecutiveFailures: 3 },
});

describe('routes of a model alias', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = new Stage('router-registry');
    await stage.given(stream.deployment(KEY), declared());
  });

  const serve = async (ordinal: number): Promise<void> => {
    await stage.given(stream.replica(id(ordinal)), requested(ordinal), launchRequested(ordinal));
    await stage.given(stream.runtime(id(ordinal)), becameReady(ordinal));
    await stage.given(stream.replica(id(ordinal)), ready(ordinal));
  };
  /** Starts a registry that somebody overtakes between its first decision and the append; answers how often it tried. */
  const startOvertaken = (overtake: () => Promise<void>): (() => number) => {
    let attempts = 0;
    const overtaken = routerRegistryControllers().map((controller): Controller => ({
      ...controller,
      reconcile: (context) =>
        controller.reconcile({
          ...context,
          append: async (writes, options) => {
            if (attempts++ === 0) await overtake();
            return context.append(writes, options);
          },
        }),
    }));
    stage.start(overtaken);
    return () => attempts;
  };
  const written = async (): Promise<readonly string[]> =>
    (await stage.written('route')).map(({ type }) => type.slice('davit.route.'.length));

  it('appear for an incarnation with runtime evidence, in one snapshot with its digest', async () => {
    stage.start(routerRegistryControllers());
    await serve(0);
    await stage.clock.advance(100);
    expect(await written()).toEqual(['registered', 'snapshot-published']);
    expect((await stage.written('route')).at(-1)).toMatchObject({
      tenant: 'default',
      correlationid: 'intent-1',
      data: { alias: ALIAS, snapshot: 1, targets: [{ replica: id(0), url: url(0), model: 'qwen', revision: 1 }] },
    });
  });

  it('do not appear for a replica that is ready on somebody’s word alone', async () => {
    stage.start(routerRegistryControllers());
    await stage.given(stream.replica(id(0)), requested(0), launchRequested(0), ready(0));
    await stage.clock.advance(60_000);
    expect(await written()).toEqual([]);
  });

  it('go with the evidence, and the snapshot grows by one', async () => {
    stage.start(routerRegistryControllers());
    await serve(0);
    await serve(1);
    await stage.clock.advance(100);
    await stage.given(stream.runtime(id(0)), becameUnready(0));
    await stage.clock.advance(100);
    expect((await written()).slice(-2)).toEqual(['withdrawn', 'snapshot-published']);
    const route = await stage.route(ALIAS);
    expect(route?.targets.map(({ replica }) => replica)).toEqual([id(1)]);
    const published = (await stage.written('route')).filter(({ type }) => type === 'davit.route.snapshot-published');
    expect(published.map(({ data }) => 'snapshot' in data && data.snapshot)).toEqual(
      published.map((_, index) => index + 1),
    );
  });

  it('go before a drain goes on', async () => {
    stage.start(routerRegistryControllers());
    await serve(0);
    await stage.clock.advance(100);
    await stage.given(stream.replica(id(0)), {
      type: 'davit.replica.drain-requested',
      data: { replicaId: id(0), reason: 'scaled down', deadlineAt: '2026-01-01T00:10:00.000Z' },
    });
    await stage.clock.advance(100);
    expect((await stage.route(ALIAS))?.targets).toEqual([]);
    expect((await stage.replica(id(0)))?.route.registered).toBe(false);
  });

  it('law-11: a restart publishes nothing, least of all an empty set', async () => {
    const stop = stage.start(routerRegistryControllers());
    await serve(0);
    await stage.clock.advance(100);
    const before = await written();
    await stop();
    for (const instance of ['two', 'three']) {
      const stopNext = stage.start(routerRegistryControllers(), instance);
      await stage.clock.advance(90_000);
      await stopNext();
    }
    expect(await written()).toEqual(before);
  });

  it.each([
    ['the runtime went bad', stream.runtime(id(0)), becameUnready(0)],
    [
      'a drain began',
      stream.replica(id(0)),
      {
        type: 'davit.replica.drain-requested',
        data: { replicaId: id(0), reason: 'scaled down', deadlineAt: '2026-01-01T00:10:00.000Z' },
      } satisfies NewEvent,
    ],
  ])('law-11: are not registered when %s between the look at it and the append', async (_, name, event) => {
    const attempts = startOvertaken(() => stage.given(name, event));
    await serve(0);
    await stage.clock.advance(60_000);
    expect(attempts()).toBe(1);
    expect(await written()).toEqual([]);
  });

  it('law-11: come at the second attempt when the proof only was renewed in between', async () => {
    const attempts = startOvertaken(() => stage.given(stream.runtime(id(0)), becameReady(0)));
    await serve(0);
    await stage.clock.advance(1_000);
    expect(attempts()).toBe(2);
    expect(await written()).toEqual(['registered', 'snapshot-published']);
  });

  it('come right once, whichever of two registries is faster', async () => {
    stage.start(routerRegistryControllers(), 'one');
    stage.start(routerRegistryControllers(), 'two');
    await serve(0);
    await stage.clock.advance(30_000);
    expect(await written()).toEqual(['registered', 'snapshot-published']);
  });

  it('are looked at when what they rest on is news, and not for loads, for their own events, or at every walk', async () => {
    const looks: string[] = [];
    const watched = routerRegistryControllers().map((controller): Controller => ({
      ...controller,
      reconcile: (context) => {
        looks.push(context.key);
        return controller.reconcile(context);
      },
    }));
    stage.start(watched);
    await serve(0);
    await stage.clock.advance(60_000);
    expect(await written()).toEqual(['registered', 'snapshot-published']);
    const before = looks.length;
    const load = { replicaId: id(0), running: 3, waiting: 0, kvCacheUsage: null };
    await stage.given(stream.runtime(id(0)), { type: 'davit.runtime.load-summarised', data: load });
    await stage.clock.advance(120_000);
    expect(looks.slice(before)).toEqual([]);
    await stage.given(stream.runtime(id(0)), becameUnready(0));
    await stage.clock.advance(60_000);
    expect(looks.slice(before)).toEqual([ALIAS]);
    expect((await stage.route(ALIAS))?.targets).toEqual([]);
  });

  const drain = (deadlineAt = '2026-01-01T00:10:00.000Z'): NewEvent => ({
    type: 'davit.replica.drain-requested',
    data: { replicaId: id(0), reason: 'scaled down', deadlineAt },
  });

  it('tell until when the requests of a withdrawn target may end, and how many were cut', async () => {
    stage.start(routerRegistryControllers());
    await serve(0);
    await stage.clock.advance(100);
    await stage.given(stream.replica(id(0)), drain());
    await stage.clock.advance(100);
    expect(await stage.route(ALIAS)).toMatchObject({
      targets: [],
      draining: [{ replica: id(0), generation: 1, drainUntil: '2026-01-01T00:10:00.000Z' }],
    });
    const cut = { replicaId: id(0), outcome: 'deadline', cutRequests: 3 } as const;
    await stage.given(stream.replica(id(0)), { type: 'davit.replica.drained', data: cut });
    await stage.clock.advance(100);
    expect(await written()).toEqual([
      'registered',
      'snapshot-published',
      'withdrawn',
      'snapshot-published',
      'drained',
      'snapshot-published',
    ]);
    expect((await stage.written('route')).at(-2)?.data).toEqual({
      alias: ALIAS,
      snapshot: 3,
      replica: id(0),
      generation: 1,
      outcome: 'deadline',
      cutRequests: 3,
    });
    expect((await stage.route(ALIAS))?.draining).toEqual([]);
  });

  it('end without a drain when the server is not there to finish anything', async () => {
    stage.start(routerRegistryControllers());
    await serve(0);
    await stage.clock.advance(100);
    await stage.given(stream.runtime(id(0)), becameUnready(0));
    await stage.clock.advance(100);
    expect(await stage.route(ALIAS)).toMatchObject({ targets: [], draining: [] });
  });

  it('serve under every alias, and leave one that is no longer asked for', async () => {
    stage.start(routerRegistryControllers());
    await stage.given(stream.deployment(KEY), declared({ routing: { aliases: ['chat', 'best'], weight: 30 } }));
    await serve(0);
    await stage.clock.advance(100);
    for (const alias of [ALIAS, 'default/chat', 'default/best'])
      expect((await stage.route(alias))?.targets).toMatchObject([{ replica: id(0), weight: 30 }]);
    await stage.given(stream.deployment(KEY), declared({ routing: { aliases: ['chat'], weight: 70 } }));
    await stage.clock.advance(100);
    expect((await stage.route('default/chat'))?.targets).toMatchObject([{ weight: 70, generation: 2 }]);
    expect((await stage.route('default/best'))?.targets).toEqual([]);
    expect((await stage.replica(id(0)))?.route.aliases).toEqual(['default/chat', ALIAS]);
  });
});
