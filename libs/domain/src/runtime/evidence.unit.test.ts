import type { DeploymentSpec } from '@davit/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ReplicaState, TrafficReport } from '../lifecycle/state.js';
import { contradiction, statedContextLength } from './expectations.js';
import { DEFAULT_OBSERVER_LIMITS, isObserverIll, isWeak, reachOf } from './observer.js';
import { startPhaseOf } from './phase.js';
import { TRAFFIC_FRESH_MS, describeTraffic, trafficPoints } from './traffic.js';
import { ENOUGH } from './weights.js';

const NOW_MS = Date.parse('2026-01-01T00:01:00.000Z');
const at = (agoMs: number): string => new Date(NOW_MS - agoMs).toISOString();
const report = (counts: Partial<TrafficReport> = {}): TrafficReport => ({
  ...{ reporter: 'gateway-1', at: at(1_000), requests: 10, refused: 0, timeouts: 0, status5xx: 0 },
  ...counts,
});

describe('what gateways report', () => {
  it('weighs by the share of requests that failed and by how', () => {
    expect(trafficPoints([report({ refused: 10 })], NOW_MS)).toBe(20);
    expect(trafficPoints([report({ refused: 5 })], NOW_MS)).toBe(10);
    expect(trafficPoints([report({ timeouts: 10 })], NOW_MS)).toBe(12);
    expect(trafficPoints(undefined, NOW_MS)).toBe(0);
  });
  it('weighs nothing any more once it is old', () => {
    expect(trafficPoints([report({ refused: 10, at: at(TRAFFIC_FRESH_MS) })], NOW_MS)).toBe(0);
  });
  it('never is enough alone, however many report', () => {
    const counts = fc.nat(1_000);
    const reports = fc.array(
      fc.record({ requests: counts, refused: counts, timeouts: counts, status5xx: counts }).map(report),
      { maxLength: 50 },
    );
    fc.assert(fc.property(reports, (all) => expect(trafficPoints(all, NOW_MS)).toBeLessThan(ENOUGH)));
  });
  it('is told by how the requests failed', () => {
    expect(describeTraffic(report({ requests: 40, refused: 3, timeouts: 5 }))).toBe(
      'gateway-1: 8 of 40 requests failed (3 refused, 5 timed out)',
    );
  });
});

describe('law-12: a prober that reaches nobody', () => {
  const nobodyElse = { resource: null, absence: { observedAt: [], confirmedAt: null, released: false } };
  const weak = (
    reach: 'answered' | 'refused' | 'unreachable',
    counts: Parameters<typeof isWeak>[1],
    replica: object = {},
  ) => isWeak(reach, counts, { ...nobodyElse, ...replica }, DEFAULT_OBSERVER_LIMITS, NOW_MS);

  it('is believed up to the limits of the fleet: a few at once, or a quarter', () => {
    expect(isObserverIll({ answered: 0, refused: 0, unreachable: 3 }, DEFAULT_OBSERVER_LIMITS)).toBe(false);
    expect(isObserverIll({ answered: 30, refused: 5, unreachable: 5 }, DEFAULT_OBSERVER_LIMITS)).toBe(false);
    expect(isObserverIll({ answered: 29, refused: 5, unreachable: 6 }, DEFAULT_OBSERVER_LIMITS)).toBe(true);
  });
  it('holds what does not answer, and a refusal that nothing stands against', () => {
    expect(weak('unreachable', { answered: 4, refused: 0, unreachable: 8 })).toBe(true);
    expect(weak('refused', { answered: 0, refused: 12, unreachable: 0 })).toBe(true);
  });
  it('acts on a refusal while others answer, and on any answer', () => {
    expect(weak('refused', { answered: 4, refused: 8, unreachable: 0 })).toBe(false);
    expect(weak('answered', { answered: 1, refused: 0, unreachable: 11 })).toBe(false);
  });
  it('acts on what a gateway or the provider has seen as well', () => {
    const counts = { answered: 0, refused: 0, unreachable: 12 };
    expect(weak('unreachable', counts, { traffic: [report({ refused: 1 })] })).toBe(false);
    expect(weak('unreachable', counts, { traffic: [report({ refused: 1, at: at(TRAFFIC_FRESH_MS) })] })).toBe(true);
    expect(weak('unreachable', counts, { resource: { phase: 'stopped' } })).toBe(false);
    expect(weak('unreachable', counts, { absence: { ...nobodyElse.absence, observedAt: [at(0)] } })).toBe(false);
  });
  it('was reached by whoever answered, however wrong the answer', () => {
    expect([null, 'engine-dead', 'hung', 'unauthorised'].map((reason) => reachOf(reason as never))).toEqual(
      Array(4).fill('answered'),
    );
    expect([reachOf('timeout'), reachOf('other'), reachOf('refused')]).toEqual([
      'unreachable',
      'unreachable',
      'refused',
    ]);
  });
});

describe('what a specification states of a server', () => {
  it.each([
    [['--max-model-len', '32768'], 32_768],
    [['--max-model-len=4096'], 4_096],
    [['--max_model_len 8192'], 8_192],
    [['--max-model-len', '32k'], 32_000],
    [['--max-model-len', '32K'], 32_768],
    [['--context-length', '1024', '--context-length', '2048'], 2_048],
    [['--max-model-len', 'auto'], undefined],
    [['--max-model-len', '-1'], undefined],
    [['--max-model-len'], undefined],
    [['--ctx-size', '32768'], undefined],
    [[], undefined],
  ] as const)('reads %j as %s', (args, tokens) => {
    expect(statedContextLength(args)).toBe(tokens);
  });

  it('is contradicted by what it tells, never by what it does not', () => {
    const stated = {
      model: { id: 'q', revision: null, servedName: 'q', adapters: ['sql'] },
      runtime: { engine: 'vllm', version: null, image: null, port: 1, args: ['--max-model-len', '8192'] },
    } satisfies Pick<DeploymentSpec, 'model' | 'runtime'>;
    expect(contradiction(stated, {})).toBeUndefined();
    expect(contradiction(stated, { contextLength: 8_192, adapters: ['law', 'sql'] })).toBeUndefined();
    expect(contradiction(stated, { contextLength: 4_096 })).toMatch(/4096 .* 8192/);
    expect(contradiction(stated, { adapters: ['law'] })).toMatch(/sql .* it serves law/);
  });
});

describe('the phase of a start', () => {
  const phase = (changes: object) =>
    startPhaseOf({
      status: 'launching',
      runtime: null,
      resource: null,
      route: { registered: false },
      ...changes,
    } as ReplicaState); // only these are read
  const machine = (change: object) => ({ resource: { phase: 'provisioning', detail: '', ...change } });

  it('is what the provider or the server told, and nothing where nobody did', () => {
    expect(phase({})).toBeNull();
    expect(phase(machine({}))).toBe('provisioning');
    expect(phase(machine({ detail: 'pulling image vllm/vllm-openai' }))).toBe('pulling');
    expect(phase(machine({ diagnosis: { boundary: 'image' } }))).toBe('pulling');
    expect(phase({ runtime: { reason: 'loading' } })).toBe('loading');
    expect(phase({ runtime: { reason: 'warming' } })).toBe('warming');
    expect(phase({ runtime: { reason: 'unhealthy' }, resource: { phase: 'up', detail: '' } })).toBeNull();
    expect(phase({ status: 'ready', runtime: { status: 'ready' }, route: { registered: true } })).toBe('serving');
    expect(phase({ status: 'deleting' })).toBeNull();
  });
});
