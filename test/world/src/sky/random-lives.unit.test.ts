import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { type FaultEffect } from '../faults.js';
import { TestWorld } from '../test-world.js';

const NAMES = ['ic-a', 'ic-b', 'ic-c'] as const;

type Step =
  | { readonly kind: 'launch' | 'down' | 'kill' | 'cancel' | 'refresh'; readonly name: (typeof NAMES)[number] }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'fault'; readonly verb: 'launch' | 'down'; readonly effect: FaultEffect };

const harmless: readonly FaultEffect[] = [
  { kind: 'lost-reply' },
  { kind: 'lost-request' },
  { kind: 'latency', ms: 700 },
  { kind: 'late-visibility', ms: 3_000 },
  { kind: 'launch-fails', reason: 'no-capacity' },
  { kind: 'launch-fails', reason: 'disk-full' },
  { kind: 'launch-fails', reason: 'stuck' },
  { kind: 'duplicate-request' },
  { kind: 'down-lies' },
];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom(
      'launch' as const,
      'launch' as const,
      'down' as const,
      'kill' as const,
      'cancel' as const,
      'refresh' as const,
    ),
    name: fc.constantFrom(...NAMES),
  }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 2_500 }) }),
  fc.record({
    kind: fc.constant('fault' as const),
    verb: fc.constantFrom('launch' as const, 'down' as const),
    effect: fc.constantFrom(...harmless),
  }),
);

/** Starts a command without waiting for it, as several callers would. */
const start = (test: TestWorld, argv: readonly string[]): void => {
  void test.world.runSky({
    argv,
    env: { HOME: '/h', WORKER_API_KEY: 'k' },
    readFile: (path) => Promise.resolve(test.files[path]),
  });
};

async function apply(test: TestWorld, step: Step): Promise<void> {
  const { world } = test;
  switch (step.kind) {
    case 'wait':
      return test.clock.advance(step.ms);
    case 'fault':
      world.faults.add({ service: 'sky', verb: step.verb, effect: step.effect });
      return;
    case 'launch': {
      start(test, ['launch', '-c', step.name, '-y', '--async', '--secret', 'WORKER_API_KEY', 'replica.yaml']);
      return;
    }
    case 'down': {
      start(test, ['down', '-y', step.name]);
      return;
    }
    case 'refresh': {
      start(test, ['status', '-o', 'json', '-r', step.name]);
      return;
    }
    case 'cancel': {
      start(test, ['api', 'cancel', ...world.sky.activeLaunches(step.name).map(({ id }) => id), 'none']);
      return;
    }
    case 'kill': {
      const machine = world.cloud.running().find(({ owner }) => owner === `sky:${step.name}`);
      if (machine) await world.cloud.end(machine, 'killed');
    }
  }
}

const freeGpus = (test: TestWorld): number => test.world.stock.cells().reduce((sum, { free }) => sum + free, 0);

describe('any course of events', () => {
  it('never gives one cluster two machines, never rents for a name without a row, and can be cleared away', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const test = new TestWorld();
        const stocked = freeGpus(test);
        for (const next of steps) {
          await apply(test, next);
          await test.clock.advance(0);
          check(test, stocked);
        }
        test.world.faults.clear();
        for (let round = 0; round < 3; round += 1) {
          await test.clock.advance(10_000);
          for (const name of NAMES) start(test, ['down', '-y', name]);
        }
        await test.clock.advance(10_000);
        if (test.world.ledger.running().length > 0) throw new Error('a machine is left');
        if (test.world.sky.requests.some(({ status }) => ['PENDING', 'RUNNING', 'WAITING'].includes(status)))
          throw new Error('a request never ends');
        if (freeGpus(test) !== stocked) throw new Error('stock was lost or made');
      }),
      { numRuns: 150, seed: 20_261_129 },
    );
  });
});

function check(test: TestWorld, stocked: number): void {
  const { cloud, ledger, sky } = test.world;
  const running = cloud.running();
  const owners = running.map(({ owner }) => owner);
  if (new Set(owners).size !== owners.length) throw new Error('two machines for one cluster');
  if (ledger.running().length !== running.length) throw new Error('the ledger disagrees with the cloud');
  const homeless = running.find(({ owner }) => !sky.clusters.has(owner.slice('sky:'.length)));
  if (homeless) throw new Error(`machine ${homeless.name} has no row`);
  if (freeGpus(test) + running.length !== stocked) throw new Error('stock does not add up');
}
