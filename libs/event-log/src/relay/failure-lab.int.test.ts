import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@davit/test-support';
import { FailureLab } from './lab/lab.js';

/** What every scenario must end in: an exact mirror, and a projector that saw each event once and in order. */
async function expectExactMirror(lab: FailureLab): Promise<{ first: number; last: number }> {
  const head = await lab.endWriters();
  await eventually(async () => (await lab.mirrored()) === head, { timeoutMs: 15_000 });
  const { first, last, mismatches } = await lab.audit();
  expect(mismatches).toEqual([]);
  expect(last).toBe(head);
  expect(await lab.projectionMismatches()).toBe(0);
  // Exact because nothing wrong was ever taken, not because it was thrown away afterwards.
  expect(lab.relays.map(({ stats }) => stats.rebuilt)).toEqual(lab.relays.map(() => 0));
  return { first, last };
}

describe('the mirror of the log stays exact', () => {
  let lab: FailureLab;
  beforeEach(async () => {
    lab = await FailureLab.open();
  });
  afterEach(() => lab.close());

  test('A: with rival relays that publish the same events at once', async () => {
    const relays = [await lab.startRelay(), await lab.startRelay(), await lab.startRelay()];
    await lab.startProjector();
    await lab.startWriters();
    await lab.written(1_500);
    const { first } = await expectExactMirror(lab);
    expect(first).toBe(1);
    const contended = relays.map(({ stats }) => stats.refusals + stats.duplicates);
    expect(Math.max(...contended)).toBeGreaterThan(0);
  }, 90_000);

  test('B: when the broker is killed with -9 mid-write and started again', async () => {
    await lab.startRelay();
    await lab.startRelay();
    await lab.startProjector();
    await lab.startWriters();
    await lab.written(1_000);
    await lab.broker.kill9();
    await lab.written(500);
    await lab.broker.restart();
    await lab.written(500);
    const { first } = await expectExactMirror(lab);
    expect(first).toBe(1);
  }, 90_000);

  test('C: when the broker is killed and its store wiped, from a later position on', async () => {
    await lab.startRelay({ refillDepth: 400 });
    await lab.startRelay({ refillDepth: 400 });
    await lab.startProjector();
    await lab.startWriters();
    await lab.written(1_000);
    await lab.broker.wipe();
    await lab.written(500);
    const { first, last } = await expectExactMirror(lab);
    const canStartAnywhere = !/^2\.\d\./.test((await lab.control()).info?.version ?? '');
    expect(first > 1).toBe(canStartAnywhere);
    expect(last - first).toBeGreaterThanOrEqual(399);
  }, 90_000);

  test('D: when the store of the broker is rolled back to an older copy', async () => {
    await lab.startRelay();
    await lab.startRelay();
    const projector = await lab.startProjector();
    await lab.startWriters();
    await lab.written(500);
    await lab.broker.stop();
    const copy = await lab.broker.copyStore();
    await lab.broker.restart();
    await lab.written(1_500);
    const before = await lab.log.head();
    await eventually(() => projector.position >= before - 200);
    await lab.broker.restoreStore(copy);
    await lab.written(500);
    const { first } = await expectExactMirror(lab);
    expect(first).toBe(1);
  }, 90_000);
});
