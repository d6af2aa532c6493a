import { describe, expect, it } from '@jest/globals';
import { shortMatrix } from './cells.js';
import { probeAll, runMatrix } from './matrix.js';
import { ROLLOUT_SCENARIOS } from './rollouts.js';

/** So many cells, spread evenly over all of them; `npm run matrix -- --rollouts` plays every one. */
const SAMPLE = 6;

describe('points of the workflows of rollouts on evidence', () => {
  it('are passed without harm when nothing befalls them, and a stroke at any leaves an end that production shows', async () => {
    const probes = await probeAll({ instances: [1], seed: 1 }, ROLLOUT_SCENARIOS);
    expect(probes.flatMap(({ outcome }) => outcome.faults)).toEqual([]);
    const cells = shortMatrix(probes).filter(({ target }) =>
      / vast-serverless .*(rollout|endpoint|vast)/.test(target.id),
    );
    expect(cells.length).toBeGreaterThan(100);
    const every = Math.floor(cells.length / SAMPLE);
    expect(await runMatrix(cells.filter((_, index) => index % every === 0))).toEqual([]);
  }, 300_000);
});
