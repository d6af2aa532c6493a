import { describe, expect, test } from '@jest/globals';
import type { ObserveResult } from '@davit/provider-kit';
import { hints, launched } from '../testing/hints.js';
import { SECRET_VALUE, WorldRig } from '../testing/world-rig.js';

const GATED = [
  'huggingface_hub.errors.GatedRepoError: 403 Client Error. (Request ID: Root=1-6713)',
  `Access to model meta-llama/Llama is restricted. token=${SECRET_VALUE} Bearer ${SECRET_VALUE}`,
].join('\n');

const diagnosisOf = (seen: ObserveResult) => (seen.outcome === 'present' ? seen.diagnosis : undefined);
const logLines = (rig: WorldRig) => rig.commandLines().filter((line) => /^(api )?logs /.test(line));

/** A start that never comes to an end, with this in its provision log. */
async function stuckStart(log: string | undefined) {
  const rig = new WorldRig();
  const effect = { kind: 'launch-fails', reason: 'stuck', ...(log === undefined ? {} : { log }) } as const;
  rig.world.faults.add({ service: 'sky', verb: 'launch', effect });
  const { order, handle } = await launched(rig);
  const look = () => rig.backend.observe(order.externalKey, hints(order, { handle }));
  return { rig, order, look };
}

describe('a start that takes long', () => {
  test('has its logs read once it is old, seldom, and says where it is stuck and what to do', async () => {
    const { rig, look } = await stuckStart('Error: ErrImagePull: manifest unknown');
    await rig.clock.advance(60_000);
    expect(diagnosisOf(await look())).toBeUndefined();
    expect(logLines(rig)).toEqual([]);
    await rig.clock.advance(130_000);
    for (let looks = 0; looks < 10; looks += 1) {
      const seen = await look();
      expect(seen).toMatchObject({ phase: 'provisioning', class: null });
      expect(diagnosisOf(seen)).toMatchObject({
        boundary: 'image-missing',
        class: 'config',
        remedy: expect.stringContaining('spec.runtime.image'),
      });
    }
    expect(logLines(rig)).toHaveLength(2);
    expect(logLines(rig).every((line) => line.includes('--no-follow --tail 200'))).toBe(true);
  });

  test('and shows no reason is called stuck at last, in the same words from then on', async () => {
    const { rig, look } = await stuckStart(undefined);
    await rig.clock.advance(300_000);
    expect(diagnosisOf(await look())).toBeUndefined();
    await rig.clock.advance(700_000);
    const first = diagnosisOf(await look());
    expect(first).toMatchObject({ boundary: 'stuck-provisioning', class: 'transient' });
    await rig.clock.advance(3_600_000);
    expect(diagnosisOf(await look())).toEqual(first);
  });

  test('leaves the log of a replica that was ready, or is being deleted, unread', async () => {
    const { rig, order } = await stuckStart('no space left on device');
    await rig.clock.advance(300_000);
    await rig.backend.observe(order.externalKey, hints(order, { launching: false }));
    await rig.backend.observe(order.externalKey, hints(order, { purpose: 'absence' }));
    expect(logLines(rig)).toEqual([]);
  });
});

describe('a server that does not come up on a machine that is up', () => {
  test('is explained from its own log, without what is secret in it', async () => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'job-log', text: GATED } });
    const { order } = await launched(rig);
    await rig.clock.advance(200_000);
    const seen = await rig.backend.observe(order.externalKey, hints(order));
    expect(diagnosisOf(seen)).toMatchObject({ boundary: 'gated-model', class: 'auth' });
    expect(JSON.stringify(seen)).not.toMatch(/canary/);
  });
});

describe('a diagnosis', () => {
  test('asks for nothing: no second resource, no other hardware, no deletion', async () => {
    for (const log of ['CUDA out of memory', 'no space left on device', 'ErrImagePull', GATED]) {
      const { rig, order, look } = await stuckStart(log);
      await rig.clock.advance(200_000);
      const before = rig.commandLines().length;
      for (let looks = 0; looks < 20; looks += 1) {
        expect(diagnosisOf(await look())).toBeDefined();
        await rig.clock.advance(60_000);
      }
      const since = rig.commandLines().slice(before);
      expect(since.filter((line) => /^(launch|down|api cancel)/.test(line))).toEqual([]);
      expect(since.length).toBeGreaterThan(20);
      expect(rig.machines(order.externalKey)).toBe(1);
    }
  });

  test('of a failed launch names the boundary beside the class', async () => {
    const rig = new WorldRig();
    const log = 'docker: nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8';
    const effect = { kind: 'launch-fails', reason: 'ssh-timeout', log } as const;
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect });
    const { order, handle } = await launched(rig);
    await rig.clock.advance(20_000);
    const seen = await rig.backend.observe(order.externalKey, hints(order, { handle }));
    expect(seen).toMatchObject({ phase: 'failed', class: 'transient', diagnosis: { boundary: 'driver' } });
  });
});
