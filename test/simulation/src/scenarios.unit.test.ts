import { describe, expect, it } from '@jest/globals';
import type { FaultEffect } from '@davit/world';
import { KEY, converged, deployment, killOne, waitFor } from './main-job.js';
import { Simulation } from './simulation.js';

const HOUR_MS = 3_600_000;

async function started(): Promise<Simulation> {
  const simulation = new Simulation({ seed: 11 });
  simulation.start();
  await simulation.apply(deployment({ replicas: 1 }));
  return simulation;
}
async function converging(): Promise<Simulation> {
  const simulation = await started();
  await converged(simulation, 1);
  return simulation;
}
const everyLaunch = (simulation: Simulation, effect: FaultEffect): void => {
  simulation.world.faults.clear();
  simulation.world.faults.add({ service: 'sky', verb: 'launch', effect, count: 1_000 });
};
const launches = async (simulation: Simulation): Promise<number> =>
  (await simulation.events()).filter(({ type }) => type === 'davit.resource.launch-attempted').length;

async function pass(simulation: Simulation, ms: number): Promise<void> {
  const untilMs = simulation.clock.nowMs() + ms;
  await simulation.runUntil(() => Promise.resolve(simulation.clock.nowMs() >= untilMs), 2 * ms);
}
/** Deleted to the end: nothing runs, no law is broken, and every name was used once. */
async function endsWell(simulation: Simulation): Promise<void> {
  simulation.world.faults.clear();
  await simulation.remove(KEY);
  await waitFor(simulation, 'deleted', async () => (await simulation.deployment(KEY))?.status === 'deleted');
  await waitFor(simulation, 'caught up', () => simulation.caughtUp());
  expect(simulation.world.ledger.report()).toMatchObject({ running: 0 });
  expect(await simulation.violations(true)).toEqual([]);
}
async function requestedIds(simulation: Simulation): Promise<readonly string[]> {
  const events = await simulation.events();
  return events.flatMap((event) => (event.type === 'davit.replica.requested' ? [event.data.replicaId] : []));
}
async function alarms(simulation: Simulation): Promise<readonly string[]> {
  const raised = new Set<string>();
  for (const event of await simulation.events()) {
    if (event.type === 'davit.fleet.alarm-raised') raised.add(event.data.alarm);
    if (event.type === 'davit.fleet.alarm-cleared') raised.delete(event.data.alarm);
  }
  return [...raised];
}

describe('whatever users and providers do, in one process on virtual time', () => {
  it('scaling 1→2→1→2 is legal, uses no name twice and ends well', async () => {
    const simulation = await converging();
    for (const replicas of [2, 1, 2]) {
      await simulation.apply(deployment({ replicas }));
      await converged(simulation, replicas);
    }
    const ids = await requestedIds(simulation);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(3);
    await endsWell(simulation);
  });

  it('healing twice is legal: each death has a successor, and the first one comes at once', async () => {
    const simulation = await converging();
    for (let death = 1; death <= 2; death++) {
      killOne(simulation);
      await waitFor(simulation, 'noticed', async () => (await simulation.route(KEY))?.targets.length === 0);
      await converged(simulation, 1);
    }
    expect(await requestedIds(simulation)).toEqual([1, 2, 3].map((life) => `${KEY}-1-0-${life}`));
    await endsWell(simulation);
  });

  it('going back in the middle of a rollout keeps the machine that serves and rents no other', async () => {
    const simulation = await converging();
    const [serving] = simulation.world.cloud.running();
    await simulation.apply(deployment({ replicas: 1, maxModelLen: '32768' }));
    await waitFor(simulation, 'a candidate', () => Promise.resolve(simulation.world.cloud.running().length === 2));
    await simulation.apply(deployment({ replicas: 1 }));
    await converged(simulation, 1, 1);
    expect(simulation.world.cloud.running()).toEqual([serving]);
    await endsWell(simulation);
  });

  it('rolling back to an earlier digest that no longer serves is a rollout like any other', async () => {
    const simulation = await converging();
    await simulation.apply(deployment({ replicas: 1, maxModelLen: '32768' }));
    await converged(simulation, 1, 2);
    await simulation.apply(deployment({ replicas: 1 }));
    await converged(simulation, 1, 3);
    await endsWell(simulation);
  });

  it('deleting during a launch leaves nothing, also when the launch lost its answer', async () => {
    for (const effect of [{ kind: 'latency', ms: 20_000 }, { kind: 'lost-reply' }, { kind: 'hang' }] as const) {
      const simulation = new Simulation({ seed: 12 });
      everyLaunch(simulation, effect);
      simulation.start();
      await simulation.apply(deployment({ replicas: 1 }));
      await waitFor(simulation, 'a launch', async () => (await launches(simulation)) > 0);
      await endsWell(simulation);
    }
  });

  it('declaring it again during its deletion brings it back beside what still goes', async () => {
    const simulation = await converging();
    await simulation.remove(KEY);
    await waitFor(simulation, 'draining', async () => (await simulation.route(KEY))?.targets.length === 0);
    await simulation.apply(deployment({ replicas: 1 }));
    await converged(simulation, 1);
    expect(await requestedIds(simulation)).toEqual([`${KEY}-1-0-1`, `${KEY}-1-0-2`]);
    await endsWell(simulation);
  });

  it('a model that never becomes ready costs five starts, an alarm with the sum, and nothing more until asked', async () => {
    const simulation = new Simulation({ seed: 13 });
    everyLaunch(simulation, { kind: 'server-fault', fault: { kind: 'wrong-model', model: 'somebody/else' } });
    simulation.start();
    await simulation.apply(deployment({ replicas: 1 }));
    await waitFor(simulation, 'given up', async () => {
      return (await simulation.deployment(KEY))?.conditions['Progressing']?.reason === 'GivenUp';
    });
    await waitFor(simulation, 'the alarm', async () => (await alarms(simulation)).includes('failed-starts'));
    await pass(simulation, HOUR_MS);
    expect(await launches(simulation)).toBe(5);
    expect(simulation.world.ledger.report()).toMatchObject({ running: 0 });

    simulation.world.faults.clear();
    await simulation.apply(deployment({ replicas: 1, maxModelLen: '32768' }));
    await converged(simulation, 1, 2);
    await waitFor(
      simulation,
      'the alarm is cleared',
      async () => !(await alarms(simulation)).includes('failed-starts'),
    );
    await endsWell(simulation);
  });
});
