import { describe, test } from '@jest/globals';
import { backendConformance } from '@davit/provider-kit';
import { WorldRig } from '../testing/world-rig.js';

const PROFILES = {
  clean: {},
  'late rows': { timings: { scheduleMs: 5_000 } },
} as const;

for (const [profile, options] of Object.entries(PROFILES)) {
  backendConformance({ describe, test }, `skypilot, ${profile}`, () => {
    const rig = new WorldRig(options);
    const { faults } = rig.world;
    return Promise.resolve({
      backend: rig.backend,
      prefix: 'dv-',
      order: () => rig.order(),
      step: () => rig.clock.advance(100),
      held: (key) => Promise.resolve(rig.machines(key)),
      foreign: async (name) => {
        const launched = rig.world.runSky({
          argv: ['launch', '-c', name, '-y', '--async', 'f.yaml'],
          env: { HOME: '/else' },
          readFile: () => Promise.resolve('resources:\n  infra: runpod\n  accelerators: L4:1\n'),
        });
        await rig.clock.advance(1_000);
        await launched;
      },
      blind: (on) => {
        if (on) faults.add({ service: 'sky', count: 1_000, effect: { kind: 'refusal', reason: 'unreachable' } });
        else faults.clear();
      },
      loseNextLaunchReply: () => void faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'lost-reply' } }),
    });
  });
}
