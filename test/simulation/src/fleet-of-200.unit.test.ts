import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_SKY_SETTINGS } from '@davit/skypilot-agent';
import { KEY, converged, deployment, waitFor } from './main-job.js';
import { Simulation } from './simulation.js';

const REPLICAS = 200;
/** So long does each `sky launch` take; a real one takes as much. */
const LAUNCH_MS = 2_000;
const { '*': SLOTS } = DEFAULT_SKY_SETTINGS.launches;
/** When the last one in the queue has its turn, and what a start takes beside it. */
const LONGEST_WAIT_MS = (REPLICAS * LAUNCH_MS) / SLOTS + 15_000;

describe('200 replicas wanted at once', () => {
  let simulation: Simulation;
  beforeAll(async () => {
    simulation = new Simulation({ seed: 1 });
    const { world } = simulation;
    world.stock.set({ gpu: 'L40S', free: 10 * REPLICAS });
    world.faults.add({ service: 'sky', verb: 'launch', count: 1e6, effect: { kind: 'latency', ms: LAUNCH_MS } });
    simulation.start();
    await simulation.apply(deployment({ replicas: REPLICAS }));
    await converged(simulation, REPLICAS);
  }, 300_000);

  it('are launched once each, as many at once as the cloud has slots and never more', () => {
    const begun = launchesOf(simulation);
    expect(begun).toHaveLength(REPLICAS);
    const atOnce = begun.map((atMs) => begun.filter((other) => other <= atMs && other > atMs - LAUNCH_MS).length);
    expect(Math.max(...atOnce)).toBe(SLOTS);
  });

  it('are all served within the time that the queue takes', async () => {
    const requestedMs = new Map<string, number>();
    const waits: number[] = [];
    for (const { type, time, data } of await simulation.events()) {
      if (type === 'davit.replica.requested') requestedMs.set(data.replicaId, Date.parse(time));
      if (type === 'davit.replica.ready') waits.push(Date.parse(time) - (requestedMs.get(data.replicaId) ?? NaN));
    }
    expect(waits).toHaveLength(REPLICAS);
    expect(Math.max(...waits)).toBeLessThan(LONGEST_WAIT_MS);
  });

  it('are deleted without a rest, and the laws hold over all of it', async () => {
    await simulation.remove(KEY);
    await waitFor(simulation, 'deleted', async () => (await simulation.deployment(KEY))?.status === 'deleted');
    const { running, everCreated } = simulation.world.ledger.report();
    expect({ leaked: running, everCreated }).toEqual({ leaked: 0, everCreated: REPLICAS });
    expect(await simulation.violations(true)).toEqual([]);
  }, 300_000);
});

const launchesOf = ({ world }: Simulation): readonly number[] =>
  world.calls.all().flatMap((call) => (call.service === 'sky' && call.argv[0] === 'launch' ? [call.atMs] : []));
