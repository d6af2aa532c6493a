import { describe, expect, it } from '@jest/globals';
import { stream } from '@davit/contracts';
import { DEFAULT_LOSS_LIMITS, auditLog } from '@davit/domain';
import type { CommandOutcome } from '@davit/ports';
import { KEY, converged, deployment, killOne, waitFor } from './main-job.js';
import { Simulation } from './simulation.js';
import type { Call, Caller, Tap, Ways } from '@davit/stage';

const REPLICAS = 12;
/** The smallest fleet whose death is more than is believed at once. */
const FEW = DEFAULT_LOSS_LIMITS.floor + 1;
const MINUTE_MS = 60_000;
type Illness = 'none' | 'empty table' | 'no probe is answered';

/** What stands between the services and what they observe; the machines and their servers are well. */
class IllObserver implements Tap {
  illness: Illness = 'none';

  async call<Value>(caller: Caller, call: Call, ways: Ways<Value>): Promise<Value> {
    if (this.illness === 'no probe is answered' && call.port === 'http' && caller.name.startsWith('runtime-prober'))
      return ways.hearNothing();
    const value = await ways.go();
    const looks = call.port === 'command' && call.request.args[0] === 'status';
    if (this.illness !== 'empty table' || !looks) return value;
    const outcome = value as unknown as CommandOutcome; // what a command ends in, as the port of the call says
    return { ...outcome, stdout: '[]\n', stderr: '' } as unknown as Value;
  }
  deliver(_caller: Caller, _events: unknown, go: () => Promise<void>): Promise<void> {
    return go();
  }
}

async function serving(replicas = REPLICAS) {
  const observer = new IllObserver();
  const simulation = new Simulation({ seed: 7, maxDelayMs: 20, tap: observer });
  simulation.start();
  await simulation.apply(deployment({ replicas }));
  await converged(simulation, replicas);
  const machines = machinesOf(simulation);
  return { observer, simulation, machines };
}

const machinesOf = (simulation: Simulation): string[] =>
  simulation.world.cloud
    .running()
    .map(({ id }) => id)
    .toSorted();

async function types(simulation: Simulation): Promise<string[]> {
  return (await simulation.events()).map(({ type }) => type.slice('davit.'.length));
}
const pass = (simulation: Simulation, ms: number): Promise<boolean> =>
  simulation.runUntil(() => Promise.resolve(false), ms);
const happened = (simulation: Simulation, type: string, times = 1): Promise<void> =>
  waitFor(simulation, type, async () => (await types(simulation)).filter((one) => one === type).length >= times);

async function nothingWasLost(simulation: Simulation, machines: readonly string[]): Promise<void> {
  const told = await types(simulation);
  for (const type of ['replica.failed', 'replica.delete-requested', 'resource.delete-attempted'])
    expect(told).not.toContain(type);
  expect(machinesOf(simulation)).toEqual(machines);
  expect(simulation.world.ledger.report()).toMatchObject({ running: REPLICAS, everCreated: REPLICAS });
  expect(await simulation.violations(false)).toEqual([]);
}

describe('an observer that falls ill', () => {
  it('freezes the fleet and costs no machine; the fleet thaws when it sees again', async () => {
    const { observer, simulation, machines } = await serving();
    observer.illness = 'no probe is answered';
    await happened(simulation, 'fleet.frozen');
    await pass(simulation, 2 * MINUTE_MS);
    expect(await types(simulation)).toContain('fleet.alarm-raised');
    expect(await types(simulation)).not.toContain('replica.failed');
    observer.illness = 'none';
    await happened(simulation, 'fleet.thawed');
    await converged(simulation, REPLICAS);
    expect(await types(simulation)).toContain('fleet.alarm-cleared');
    await nothingWasLost(simulation, machines);
  }, 180_000);

  it('holds its verdicts, so that routes stay, and says so for as long as that lasts', async () => {
    const { observer, simulation, machines } = await serving();
    const targets = (await simulation.route(KEY))?.targets;
    observer.illness = 'no probe is answered';
    await pass(simulation, 3 * MINUTE_MS);
    expect((await simulation.route(KEY))?.targets).toEqual(targets);
    expect(await simulation.events()).toContainEqual(
      expect.objectContaining({
        type: 'davit.fleet.alarm-raised',
        data: expect.objectContaining({ alarm: 'observer-ill', severity: 'critical' }),
      }),
    );
    observer.illness = 'none';
    await happened(simulation, 'fleet.alarm-cleared');
    const told = await types(simulation);
    for (const type of ['runtime.became-unready', 'route.withdrawn', 'fleet.frozen']) expect(told).not.toContain(type);
    await nothingWasLost(simulation, machines);
  }, 180_000);

  it('and forgets every cluster costs no machine either', async () => {
    const { observer, simulation, machines } = await serving();
    observer.illness = 'empty table';
    await pass(simulation, 2 * MINUTE_MS);
    observer.illness = 'none';
    await pass(simulation, 2 * MINUTE_MS);
    await converged(simulation, REPLICAS);
    await nothingWasLost(simulation, machines);
  }, 180_000);
});

describe('deaths that are real', () => {
  it('and many at once are believed on an order, and healed', async () => {
    const { simulation, machines } = await serving();
    for (let dead = 0; dead < 8; dead++) killOne(simulation);
    await happened(simulation, 'fleet.frozen');
    await pass(simulation, MINUTE_MS);
    expect(await types(simulation)).not.toContain('replica.failed');
    const data = { intentId: '00000000-0000-7000-8000-000000000001', reason: 'the region lost its power' };
    await simulation.log.append(
      [{ stream: stream.fleetOrders, expectedVersion: 'any', events: [{ type: 'davit.fleet.thaw-ordered', data }] }],
      { tenant: 'default', service: 'spec-api' },
    );
    await happened(simulation, 'fleet.thawed');
    await converged(simulation, REPLICAS);
    expect((await types(simulation)).filter((type) => type === 'fleet.frozen')).toHaveLength(1);
    expect(simulation.world.ledger.report()).toMatchObject({ running: REPLICAS, everCreated: REPLICAS + 8 });
    expect(machinesOf(simulation).filter((id) => machines.includes(id))).toHaveLength(REPLICAS - 8);
    expect(await simulation.violations(false)).toEqual([]);
  }, 180_000);

  it('and many at once are believed by themselves when the freeze has lasted as long as it may', async () => {
    const { simulation } = await serving(FEW);
    for (let dead = 0; dead < FEW; dead++) killOne(simulation);
    await happened(simulation, 'fleet.frozen');
    await pass(simulation, DEFAULT_LOSS_LIMITS.freezeLimitMs - MINUTE_MS);
    expect(await types(simulation)).not.toContain('replica.failed');
    await converged(simulation, FEW);
    expect(await simulation.violations(false)).toEqual([]);
  }, 180_000);

  it('one after the other never freeze the fleet', async () => {
    const { simulation } = await serving();
    for (let dead = 1; dead <= 4; dead++) {
      killOne(simulation);
      await happened(simulation, 'fleet.replica-lost', dead);
      await converged(simulation, REPLICAS);
    }
    expect(await types(simulation)).not.toContain('fleet.frozen');
  }, 180_000);

  it('leave what the user asks for untouched by the freeze', async () => {
    const { observer, simulation } = await serving();
    observer.illness = 'no probe is answered';
    await happened(simulation, 'fleet.frozen');
    await simulation.remove(KEY);
    await waitFor(simulation, 'deleted', async () => (await simulation.deployment(KEY))?.status === 'deleted');
    expect(machinesOf(simulation)).toEqual([]);
    expect(await simulation.violations(true)).toEqual([]);
    const audit = auditLog();
    expect((await simulation.events()).flatMap((event) => audit.see(event))).toEqual([]);
    expect(audit.end(true)).toEqual([]);
  }, 180_000);
});
