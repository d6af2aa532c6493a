import { beforeAll, describe, expect, it } from '@jest/globals';
import { mainJob } from './main-job.js';
import { Simulation } from './simulation.js';

describe('the main job in one process on virtual time', () => {
  let simulation: Simulation;
  beforeAll(async () => {
    simulation = new Simulation({ seed: 1 });
    simulation.start();
    await mainJob(simulation);
  });

  it('rents exactly one machine for each incarnation, and leaves none', () => {
    expect(simulation.world.ledger.report()).toMatchObject({ running: 0 });
  });
  it('keeps every law that a log can show', async () => {
    expect(await simulation.violations(true)).toEqual([]);
  });
  it('leaves every service with the documents that a fresh fold of the log gives', async () => {
    expect(await simulation.differingProjections()).toEqual([]);
  });
});
