import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RouteView, stream } from '@davit/contracts';
import { snapshotDigest } from '@davit/domain';
import { execaCommandRunner, silentLogger } from '@davit/ports';
import { KEY, Stage, declared, requested } from '@davit/stage';
import { eventually } from '@davit/test-support';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { routeCacheController } from '../cache/controller.js';
import { routeFilesController } from './files.js';
import { ShownRoutes } from './shown-routes.js';
import { target } from './testing/tables.js';

const ALIAS = 'default/qwen';
const SERVERS = [0, 1].map((ordinal) => target(ordinal, `http://10.0.0.${ordinal}:8000`));

/** Files and the bucket of a registry in which nobody decides: the routes of the log stay as they are. */
describe('files and the bucket after a start', () => {
  let stage: Stage;
  let folder: string;
  let bucket: RouteView | undefined;
  let listed: readonly string[];
  let stop: () => Promise<void>;

  const verdict = (ordinal: number, ready: boolean): Promise<void> => {
    const { replica: replicaId, url } = target(ordinal, `http://10.0.0.${ordinal}:8000`);
    const evidence = { healthMs: 1, modelsMs: 1, inferenceMs: 1 };
    return stage.given(
      stream.runtime(replicaId),
      ready
        ? { type: 'davit.runtime.became-ready', data: { replicaId, url, servedModel: 'qwen', evidence } }
        : {
            type: 'davit.runtime.became-unready',
            data: { replicaId, url, reason: 'refused', detail: 'x', consecutiveFailures: 3 },
          },
    );
  };
  const fileText = (): Promise<string> => readFile(path.join(folder, 'routes.json'), 'utf8').catch(() => '');
  /** What either shows, once both show the same. */
  const shown = (count: number): Promise<boolean> =>
    eventually(async () => {
      await stage.clock.advance(1_000);
      const text = await fileText();
      const held = SERVERS.filter(({ url }) => text.includes(`"${url.slice('http://'.length)}"`));
      expect([text === '', held.length, bucket?.targets.length]).toEqual([false, count, count]);
      return true;
    });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'davit-files-'));
    stage = new Stage('router-registry');
    bucket = undefined;
    listed = [];
    await stage.given(stream.deployment(KEY), declared());
    for (const [ordinal, { replica: replicaId, url }] of SERVERS.entries()) {
      await stage.given(stream.replica(replicaId), requested(ordinal), {
        type: 'davit.replica.launch-requested',
        data: { replicaId, attempt: 1, deadlineAt: '2026-01-01T00:30:00.000Z' },
      });
      await verdict(ordinal, true);
      await stage.given(stream.replica(replicaId), {
        type: 'davit.replica.ready',
        data: { replicaId, url, servedModel: 'qwen' },
      });
    }
    for (const one of SERVERS) {
      await stage.given(stream.route(ALIAS), {
        type: 'davit.route.registered',
        data: { alias: ALIAS, snapshot: 1, target: one },
      });
    }
    await stage.given(stream.route(ALIAS), {
      type: 'davit.route.snapshot-published',
      data: {
        ...{ alias: ALIAS, snapshot: 1, targets: SERVERS },
        digest: snapshotDigest({ targets: SERVERS, draining: [] }),
      },
    });
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  /** A bucket, as far as the controller writes to it. */
  const cache: Parameters<typeof routeCacheController>[0] = {
    holds: ({ digest }) => bucket?.digest === digest,
    forget: () => undefined,
    lookWhole: () => Promise.resolve(),
    write: (view) => Promise.resolve(Boolean((bucket = view))),
    withheld: () => Promise.resolve(listed),
    tellWithheld: (aliases) => Promise.resolve(Boolean((listed = aliases))),
  };
  const start = (): void => {
    const routes = new ShownRoutes(stage.clock);
    const files = [{ format: 'http-sd', path: path.join(folder, 'routes.json') }] as const;
    stop = stage.start([
      routeFilesController({ files, reload: null, routes, commands: execaCommandRunner, logger: silentLogger }),
      routeCacheController(cache, routes),
    ]);
  };

  it('law-11: wait for routes that lost their proof, then show the others, and them again once they are proven anew', async () => {
    await verdict(0, false);
    start();
    await stage.clock.advance(9_000);
    expect([await fileText(), bucket]).toEqual(['', undefined]);
    await shown(1);
    expect(bucket).toMatchObject({ withheld: 1, targets: [{ replica: SERVERS[1]?.replica }] });
    expect(listed).toEqual([ALIAS]);
    await verdict(0, true);
    await shown(2);
    expect(listed).toEqual([]);
    expect(bucket?.digest).toBe(snapshotDigest({ targets: SERVERS, draining: [] }));
  });

  it('law-11: withhold what loses its proof later and is not withdrawn in time, until it is proven anew', async () => {
    start();
    await shown(2);
    await verdict(0, false);
    await stage.clock.advance(4_000);
    expect([bucket?.targets.length, listed]).toEqual([2, []]);
    await shown(1);
    expect(bucket).toMatchObject({ snapshot: 1, withheld: 1 });
    expect(listed).toEqual([ALIAS]);
    await verdict(0, true);
    await shown(2);
    expect([bucket?.withheld, listed]).toEqual([undefined, []]);
  });

  it('law-11: are never empty because nobody decided, only because an event says so', async () => {
    for (const ordinal of [0, 1]) await verdict(ordinal, false);
    start();
    await stage.clock.advance(60_000);
    expect([await fileText(), bucket]).toEqual(['', undefined]);
    await stage.given(stream.route(ALIAS), {
      type: 'davit.route.snapshot-published',
      data: { alias: ALIAS, snapshot: 2, targets: [], digest: snapshotDigest({ targets: [], draining: [] }) },
    });
    await shown(0);
    expect(await fileText()).toContain('[]');
  });
});
