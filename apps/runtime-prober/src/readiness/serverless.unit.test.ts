import { type NewEvent, stream } from '@davit/contracts';
import { type HttpClient, seededRandom } from '@davit/ports';
import { declared, KEY, REPLICA, requested, RESOURCE, Stage } from '@davit/stage';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { runtimeProberControllers } from '../index.js';

const URL = 'https://openai.vast.ai/dv-test';
const HOUR_MS = 3_600_000;

describe('readiness of a serverless endpoint', () => {
  let stage: Stage;
  let asked: number;

  beforeEach(() => {
    stage = new Stage('runtime-prober');
    asked = 0;
  });

  const http: HttpClient = {
    request({ url }) {
      asked += 1;
      const body = url.endsWith('/v1/models') ? { data: [{ id: 'qwen' }] } : { choices: [{}] };
      return Promise.resolve({ kind: 'response', status: 200, headers: {}, body: JSON.stringify(body) });
    },
  };

  const start = (instanceId: string): void =>
    void stage.start(
      runtimeProberControllers({ http, clock: stage.clock, random: seededRandom(2), environment: {} }),
      instanceId,
    );

  const observed = (phase: 'up' | 'provisioning' | 'unknown'): NewEvent => ({
    type: 'davit.resource.observed',
    data: {
      ...{ externalKey: 'dv-test', replicaId: REPLICA, adapter: 'vast-serverless', phase, providerId: '1' },
      ...{ url: phase === 'up' ? URL : null, price: null, class: null, detail: 'x' },
    },
  });

  /** Seen to serve once, with workers like these. */
  const proven = async (workers: object): Promise<void> => {
    start('one');
    const compute = { mode: 'serverless', templateHash: 'f'.repeat(32), workers };
    await stage.given(stream.deployment(KEY), declared({ compute }));
    await stage.given(stream.replica(REPLICA), requested(), {
      type: 'davit.replica.launch-requested',
      data: { replicaId: REPLICA, attempt: 1, deadlineAt: '2026-01-01T01:00:00.000Z' },
    });
    await stage.given(RESOURCE, observed('up'));
    await stage.until(async () => (await stage.replica(REPLICA))?.runtime?.status === 'ready');
    const data = { replicaId: REPLICA, url: URL, servedModel: 'qwen' };
    await stage.given(stream.replica(REPLICA), { type: 'davit.replica.ready', data });
  };

  const askedIn = async (ms: number): Promise<number> => {
    const before = asked;
    await stage.clock.advance(ms);
    return asked - before;
  };

  it('is asked for again and again where a worker is always awake', async () => {
    await proven({ minLoad: 400 });
    expect(await askedIn(HOUR_MS)).toBeGreaterThan(100);
  });

  it('keeps no worker awake and wakes none once it was proven, whichever instance looks after it', async () => {
    await proven({ minLoad: 0 });
    expect(await askedIn(HOUR_MS)).toBe(0);
    start('other');
    expect(await askedIn(HOUR_MS)).toBe(0);
    expect((await stage.replica(REPLICA))?.runtime?.status).toBe('ready');
  });

  const failed: NewEvent = {
    type: 'davit.runtime.traffic-failed',
    data: {
      ...{
        replicaId: REPLICA,
        reporter: 'gateway',
        window: { from: '2026-01-01T01:00:00.000Z', to: '2026-01-01T01:00:05.000Z' },
      },
      ...{ requests: 10, refused: 10, timeouts: 0, status5xx: 0 },
    },
  };
  it.each([
    ['the list of workers shows none that serves', RESOURCE, observed('provisioning')],
    ['the list of workers cannot be had', RESOURCE, observed('unknown')],
    ['a gateway reports failures', stream.runtime(REPLICA), failed],
  ] as const)('is asked for at once when %s', async (_, where, said) => {
    await proven({ minLoad: 0 });
    await stage.clock.advance(HOUR_MS);
    await stage.given(where, said);
    expect(await askedIn(10_000)).toBeGreaterThan(0);
  });
});
