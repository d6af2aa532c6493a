import { describe, test } from '@jest/globals';
import { backendConformance, backendIdentityConformance } from '@davit/provider-kit';
import { WorldRig } from '../testing/world-rig.js';

/** Ways in which Vast's own sources describe it differently. */
const PROFILES = {
  documented: {},
  'as its clients see it': {
    vast: {
      unknownKey: 401,
      emptyEndpointList: 'empty',
      workersShape: 'object',
      createWorkergroupId: 'result',
      putEndpoint: 'reset-omitted',
    },
  },
  'with its rate limits': { vast: { minIntervalScale: 1 }, settings: { paceScale: 1 } },
} as const;

backendIdentityConformance({ describe, test }, 'vast-serverless', () => new WorldRig({}).backend);

for (const [profile, options] of Object.entries(PROFILES)) {
  backendConformance({ describe, test }, `vast-serverless, ${profile}`, () => {
    const rig = new WorldRig(options);
    const { faults } = rig.world;
    return Promise.resolve({
      backend: rig.backend,
      prefix: 'dv-',
      order: () => rig.order(),
      step: () => rig.clock.advance(200),
      held: (name) => Promise.resolve(rig.held(name).endpoints),
      foreign: (name) => {
        rig.world.vast.store.addEndpoint(name, NO_WORKERS);
        return Promise.resolve();
      },
      double: { afterLaunch: (name) => void rig.world.vast.store.addEndpoint(name, NO_WORKERS) },
      blind: (on) => {
        faults.clear();
        if (!on) return;
        for (const service of ['vast-console', 'vast-run'] as const) {
          faults.add({
            service,
            count: 1_000,
            effect: { kind: 'status', status: 502, body: '<html>bad gateway</html>' },
          });
        }
      },
      loseNextLaunchReply: () =>
        void faults.add({
          service: 'vast-console',
          verb: 'POST /api/v0/workergroups/',
          effect: { kind: 'lost-reply' },
        }),
    });
  });
}

const NO_WORKERS = {
  min_load: 0,
  min_cold_load: 0,
  target_util: 0.9,
  cold_mult: 1,
  cold_workers: 0,
  max_workers: 1,
  max_queue_time: 30,
  target_queue_time: 10,
  inactivity_timeout: null,
};
