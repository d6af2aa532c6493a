import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LOSS_LIMITS, DEFAULT_OBSERVER_LIMITS } from '@davit/domain';
import { sleep } from '@davit/ports';
import { DEFAULT_PROBER_SETTINGS } from '@davit/runtime-prober';
import type { Call, Caller, Tap, Ways } from '@davit/stage';
import { KEY, converged, deployment, killOne, waitFor } from './main-job.js';
import { Simulation } from './simulation.js';

/** The smallest fleet whose death is more than is believed at once. */
const REPLICAS = DEFAULT_LOSS_LIMITS.floor + 1;
const MINUTE_MS = 60_000;
/** By then its verdicts are held no longer, and the freeze they lead to has not lasted as long as it may. */
const ILL_MS = DEFAULT_OBSERVER_LIMITS.holdMs + 3 * MINUTE_MS;
/** Later than anybody waits. */
const LATE_MS = DEFAULT_PROBER_SETTINGS.inferenceTimeoutMs + 1_000;

/** `hung`: what it asked never comes back, not even as a time-out. `slow`: all answers come too late. `blind`: its network is away. */
type Illness = 'hung' | 'slow' | 'blind' | 'asleep';
const ILLNESSES: readonly Illness[] = ['hung', 'slow', 'blind', 'asleep'];

/** Stands between the prober and the servers it watches, which are well, as are all other services. */
class Ward implements Tap {
  private illness: Illness | undefined;
  readonly simulation = new Simulation({ seed: 19, maxDelayMs: 20, tap: this });

  async call<Value>({ name }: Caller, { port }: Call, ways: Ways<Value>): Promise<Value> {
    if (port !== 'http' || name !== 'runtime-prober') return ways.go();
    switch (this.illness) {
      case 'hung':
        return new Promise(() => undefined);
      case 'blind':
        return ways.hearNothing();
      case 'slow':
        return Promise.race([ways.hearNothing(), sleep(this.simulation.clock, LATE_MS).then(() => ways.go())]);
      default:
        return ways.go();
    }
  }
  deliver(_caller: Caller, _events: unknown, go: () => Promise<void>): Promise<void> {
    return go();
  }

  fallIll(illness: Illness): void {
    this.illness = illness;
    if (illness === 'asleep') this.simulation.service('runtime-prober').pause();
  }
  /** What hangs for ever is started anew, as its supervisor does; whatever else ailed it ends by itself. */
  recover(): void {
    const prober = this.simulation.service('runtime-prober');
    if (this.illness === 'asleep') prober.resume();
    if (this.illness === 'hung') {
      prober.crash();
      prober.start();
    }
    this.illness = undefined;
  }
}

async function serving(replicas = REPLICAS): Promise<Ward> {
  const ward = new Ward();
  ward.simulation.start();
  await ward.simulation.apply(deployment({ replicas }));
  await converged(ward.simulation, replicas);
  return ward;
}

const pass = ({ clock }: Simulation, ms: number): Promise<void> => clock.advance(ms);
const machinesOf = ({ world }: Simulation): readonly string[] =>
  world.cloud
    .running()
    .map(({ id }) => id)
    .toSorted();
const typesOf = async (simulation: Simulation): Promise<readonly string[]> =>
  (await simulation.events()).map(({ type }) => type.slice('davit.'.length));
const routed = async (simulation: Simulation): Promise<readonly string[]> =>
  ((await simulation.route(KEY))?.targets ?? []).map(({ replica }) => replica);

describe('a prober that is ill while all servers are well', () => {
  it.each(ILLNESSES)('law-04: makes nobody absent or dead by being %s, however long', async (illness) => {
    const ward = await serving();
    const { simulation } = ward;
    const machines = machinesOf(simulation);
    ward.fallIll(illness);
    await pass(simulation, ILL_MS);
    ward.recover();
    await converged(simulation, REPLICAS);
    const told = await typesOf(simulation);
    for (const type of ['replica.failed', 'replica.delete-requested', 'resource.absence-observed'])
      expect(told).not.toContain(type);
    expect(machinesOf(simulation)).toEqual(machines);
    expect(await simulation.violations(false)).toEqual([]);
  });

  it.each(ILLNESSES)('law-11: gives nobody a route that it has not proven, %s as it is', async (illness) => {
    const ward = await serving();
    const { simulation } = ward;
    const before = await routed(simulation);
    ward.fallIll(illness);
    await simulation.apply(deployment({ replicas: REPLICAS + 1 }));
    await waitFor(simulation, 'one more machine', () =>
      Promise.resolve(machinesOf(simulation).length === REPLICAS + 1),
    );
    await pass(simulation, 2 * MINUTE_MS);
    expect(await routed(simulation)).toEqual(before);
    expect((await typesOf(simulation)).filter((type) => type === 'replica.ready')).toHaveLength(REPLICAS);
    ward.recover();
    await converged(simulation, REPLICAS + 1);
    expect(machinesOf(simulation)).toHaveLength(REPLICAS + 1);
    expect(await simulation.violations(false)).toEqual([]);
  });

  it.each(ILLNESSES)(
    'law-11: keeps no dead incarnation routed by being %s: the provider tells of it',
    async (illness) => {
      // The others are more than are believed at once.
      const replicas = REPLICAS + 1;
      const ward = await serving(replicas);
      const { simulation } = ward;
      const before = await routed(simulation);
      ward.fallIll(illness);
      killOne(simulation);
      await waitFor(simulation, 'its route is gone', async () => (await routed(simulation)).length === replicas - 1);
      await pass(simulation, 2 * MINUTE_MS);
      const left = await routed(simulation);
      const dead = before.filter((replica) => !left.includes(replica));
      expect(dead).toHaveLength(1);
      expect(before).toEqual(expect.arrayContaining([...left]));
      ward.recover();
      await converged(simulation, replicas);
      expect(await routed(simulation)).not.toContain(dead[0]);
      expect(await simulation.violations(false)).toEqual([]);
    },
  );

  it.each(['slow', 'blind'] as const)('law-12: freezes what destroys when %s, and says so', async (illness) => {
    const ward = await serving();
    const { simulation } = ward;
    const machines = machinesOf(simulation);
    ward.fallIll(illness);
    await waitFor(simulation, 'frozen', async () => (await typesOf(simulation)).includes('fleet.frozen'));
    const alarms = (await simulation.events()).flatMap((event) =>
      event.type === 'davit.fleet.alarm-raised' ? [event.data.alarm] : [],
    );
    expect(alarms).toEqual(expect.arrayContaining(['observer-ill', 'fleet-frozen']));
    await pass(simulation, DEFAULT_LOSS_LIMITS.freezeLimitMs - MINUTE_MS);
    expect(machinesOf(simulation)).toEqual(machines);
    ward.recover();
    await waitFor(simulation, 'thawed', async () => (await typesOf(simulation)).includes('fleet.thawed'));
    await converged(simulation, REPLICAS);
    expect(machinesOf(simulation)).toEqual(machines);
    expect(await simulation.violations(false)).toEqual([]);
  });
});
