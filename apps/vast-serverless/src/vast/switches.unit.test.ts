import { describe, test } from '@jest/globals';
import { type BackendHarness, backendConformance } from '@davit/provider-kit';
import { WorldRig } from '../testing/world-rig.js';

/**
 * Where Vast's own sources describe it differently, or it is not documented at all: each behaviour that bears on endpoints of
 * replicas, as it is not by default. The suite has to hold whichever of them is the real one.
 */
const OTHERWISE: readonly (readonly [title: string, vast: object, pace?: number])[] = [
  ['updates reset what they do not name', { putEndpoint: 'reset-omitted' }],
  ['updates take null for a default', { putEndpoint: 'null-means-default' }],
  ['workergroups are updated without their endpoint', { putWorkergroup: 'lenient' }],
  ['new workergroups are told as a result', { createWorkergroupId: 'result' }],
  ['unknown keys of a body are refused', { unknownBodyKeys: 'refuse' }],
  ['templates of one name are always new', { createTemplate: 'always-new' }],
  ['instances keep the template that they were rented with', { instanceTemplateFields: 'stale' }],
  ['instances do not say their template', { instanceTemplateFields: 'null' }],
  ['workers are listed in an object', { workersShape: 'object' }],
  ['the first lists of workers are errors', { workersShape: 'error-first', workersErrorCalls: 3 }],
  ['logs are one text', { logsShape: 'logs' }],
  ['an account without endpoints has an empty list', { emptyEndpointList: 'empty' }],
  ['an unknown key is 401', { unknownKey: 401 }],
  ['a missing permission is 401', { missingScope: 401 }],
  ['keys in addresses are taken', { keyInUrl: 'accept' }],
  ['instants are dates', { createdAt: 'iso' }],
  ['perf is a placeholder before the benchmark', { unbenchmarkedPerf: 'dlperf' }],
  ['an update needs its call', { rollTrigger: 'call-only' }],
  ['an update needs the workergroup alone', { rollTrigger: 'put-only' }],
  ['calls have a token bucket, which says when to come back', { rateLimit: 'token-bucket', minIntervalScale: 1 }, 0],
  ['calls that come early are refused by chance', { rateLimit: 'probabilistic', minIntervalScale: 1 }, 1],
  ['too many calls are told in words', { minIntervalScale: 0.2, tooFrequentBody: 'text' }, 0.2],
  ['too many calls are told as a detail', { minIntervalScale: 0.2, tooFrequentBody: 'detail' }, 0.2],
  ['too many calls are told as an error', { minIntervalScale: 0.2, tooFrequentBody: 'json' }, 0.2],
  ['too many calls, by somebody who keeps no distance', { minIntervalScale: 0.2 }, 0],
];

const NO_WORKERS = {
  ...{ min_load: 0, min_cold_load: 0, target_util: 0.9, cold_mult: 1, cold_workers: 0, max_workers: 1 },
  ...{ max_queue_time: 30, target_queue_time: 10, inactivity_timeout: null },
};

for (const [title, vast, paceScale = 0] of OTHERWISE) {
  backendConformance({ describe, test }, `vast-serverless, where ${title}`, () =>
    Promise.resolve(harnessOf(new WorldRig({ vast, settings: { paceScale } }))),
  );
}

function harnessOf(rig: WorldRig): BackendHarness {
  const { faults, vast } = rig.world;
  return {
    backend: rig.backend,
    prefix: 'dv-',
    order: () => rig.order(),
    step: () => rig.clock.advance(200),
    held: (name) => Promise.resolve(rig.held(name).endpoints),
    foreign: (name) => {
      vast.store.addEndpoint(name, NO_WORKERS);
      return Promise.resolve();
    },
    double: { afterLaunch: (name) => void vast.store.addEndpoint(name, NO_WORKERS) },
    blind: (on) => {
      faults.clear();
      if (!on) return;
      for (const service of ['vast-console', 'vast-run'] as const)
        faults.add({
          service,
          count: 1_000,
          effect: { kind: 'status', status: 502, body: '<html>bad gateway</html>' },
        });
    },
    loseNextLaunchReply: () =>
      void faults.add({ service: 'vast-console', verb: 'POST /api/v0/workergroups/', effect: { kind: 'lost-reply' } }),
  };
}
