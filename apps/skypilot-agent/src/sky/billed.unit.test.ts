import { describe, expect, test } from '@jest/globals';
import { hints, launched, phaseOf, serving } from '../testing/hints.js';
import { WorldRig } from '../testing/world-rig.js';

/** Older than any list of pods that is still used. */
const LATER_MS = 60_000;

async function priceOf(rig: WorldRig, { order, known }: Awaited<ReturnType<typeof serving>>): Promise<unknown> {
  await rig.clock.advance(LATER_MS);
  const seen = await rig.backend.observe(order.externalKey, known);
  if (seen.outcome !== 'present') throw new Error(seen.outcome);
  return seen.price;
}

describe('the price of a machine that serves', () => {
  test('is what its cloud bills for it, and another one as soon as the bill is another', async () => {
    const rig = new WorldRig();
    rig.world.prices.set({ gpu: 'L40S', billedFactor: 0.5 });
    const one = await serving(rig);
    expect(await priceOf(rig, one)).toMatchObject({ amount: '0.43', kind: 'billed', source: 'runpod-v2' });
    const [machine] = rig.world.cloud.running();
    if (machine) rig.world.cloud.reprice(machine, 1.25);
    expect(await priceOf(rig, one)).toMatchObject({ amount: '1.25', kind: 'billed' });
  });

  test('is known while it is set up, as soon as the cloud bills for it', async () => {
    const rig = new WorldRig({ settings: { witnessAgeMs: 1_000 } });
    const { order } = await launched(rig);
    const prices = new Set<unknown>();
    for (let looks = 0; looks < 400; looks++) {
      const seen = await rig.backend.observe(order.externalKey, hints(order));
      if (phaseOf(seen) !== 'provisioning') break;
      if (seen.outcome === 'present') prices.add(seen.price?.kind ?? null);
      await rig.clock.advance(500);
    }
    expect([...prices]).toContain('billed');
  });

  test('ends in sight when the machine goes while it is set up, whatever SkyPilot goes on to say', async () => {
    const rig = new WorldRig({ settings: { witnessAgeMs: 1_000 } });
    const { order } = await launched(rig);
    const look = async (billed: boolean) => {
      const seen = await rig.backend.observe(order.externalKey, hints(order, { billed }));
      if (seen.outcome !== 'present' || seen.phase !== 'provisioning') throw new Error(JSON.stringify(seen));
      return seen;
    };
    for (let looks = 0; looks < 400 && (await look(false)).price === null; looks++) await rig.clock.advance(500);
    const [machine] = rig.world.cloud.running();
    if (!machine) throw new Error('no machine');
    await rig.world.cloud.end(machine, 'lost while it was set up');
    await rig.clock.advance(1_500);
    expect(await look(false)).toMatchObject({ price: null, class: null });
    const gone = await look(true);
    expect(gone).toMatchObject({ price: null, class: 'not-found' });
    expect(gone.detail).toContain('runpod shows no machine of it any more');
  });

  test('is not known while the cloud cannot be asked; that it serves is', async () => {
    const rig = new WorldRig();
    const one = await serving(rig);
    rig.world.faults.add({ service: 'runpod', count: 100, effect: { kind: 'status', status: 503 } });
    expect(await priceOf(rig, one)).toBeNull();
  });
});
