import { expect, test } from '@jest/globals';
import { planView } from '@davit/contracts';
import { EXAMPLE } from '../rig.js';
import type { Stage } from './stage.js';

export function planCases(stage: Stage): void {
  test('names prices, candidates and the worst case, and has no side effects: not in the log, and not outside', async () => {
    const { rig, market } = stage();
    const before = await market.log();
    // On a busy machine advice may come too late for a plan, which then says so; asking again costs nothing.
    const plan = await market.until('a plan knows the stock of every rung', async () => {
      const { stdout } = await market.cli(['--json', 'plan', '-f', EXAMPLE]);
      const read = planView.parse(JSON.parse(stdout));
      return read.rungs.every(({ signal }) => signal.state === 'available') ? read : undefined;
    });
    expect(plan.rungs.map(({ signal }) => signal.price?.amount)).toEqual(['0.86', '1.64', '0.9366']);
    expect(plan.spend).toMatchObject({ currency: 'USD', chosenHourly: '1.72', worstCaseHourly: '3.28' });
    const human = await market.cli(['plan', '-f', EXAMPLE]);
    expect(human).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/L40S[\s\S]*A100-80GB[\s\S]*No side effects/),
    });
    expect(await market.log()).toEqual(before);
    expect(await rig.world.ledger()).toMatchObject({ everCreated: 0 });
    const asked = (await rig.world.calls()).filter(({ service }) => service !== 'sky');
    expect(asked.some(({ service, status }) => service === 'runpod' && status === 200)).toBe(true);
    expect(asked.some(({ service, status }) => service === 'vast-console' && status === 200)).toBe(true);
    expect(asked.filter(({ method, url }) => method !== 'GET' && url !== '/api/v0/bundles/')).toEqual([]);
  });

  test('of a card that nobody has lists near names', async () => {
    const { market } = stage();
    const body = market.manifest({ name: 'typo', placements: ['L40s:1x'] });
    const { exitCode, stderr, stdout } = await market.cli(['plan', '-f', '-'], JSON.stringify(body));
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).toContain('L40S');
  });
}
