import { describe, test } from '@jest/globals';
import { backendConformance, backendIdentityConformance } from '@davit/provider-kit';
import { WorldRig, type WorldRigOptions } from '../testing/world-rig.js';

interface Profile extends WorldRigOptions {
  /** Prose and colours before every output. */
  readonly noisy?: boolean;
}

const PROFILES: Readonly<Record<string, Profile>> = {
  clean: {},
  noisy: { noisy: true },
  'late rows': { timings: { scheduleMs: 5_000 } },
  'keys of later releases': { futureKeys: true },
};

backendIdentityConformance({ describe, test }, 'skypilot', () => new WorldRig().backend);

for (const [profile, { noisy = false, ...options }] of Object.entries(PROFILES)) {
  for (const witness of [true, false]) {
    backendConformance({ describe, test }, `skypilot, ${profile}, ${witness ? 'with' : 'without'} a witness`, () => {
      const rig = new WorldRig({ ...options, witness });
      const { faults } = rig.world;
      const pollute = (): void => {
        if (noisy) faults.add({ service: 'sky', count: 1e6, effect: { kind: 'malformed', how: 'noise' } });
      };
      pollute();
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
          else {
            faults.clear();
            pollute();
          }
        },
        loseNextLaunchReply: () => void faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'lost-reply' } }),
        ...(witness
          ? {
              loseRecord: (key: string) => rig.loseRecord(key),
              double: {
                beforeLaunch: () =>
                  void faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'machine-doubled' } }),
              },
            }
          : {}),
      });
    });
  }
}
