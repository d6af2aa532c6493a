import { describe, test } from '@jest/globals';
import { SCENARIOS } from '../scenarios/index.js';
import { playIn } from '../scenarios/scenario.js';
import { VARIANTS } from '../scenarios/variants.js';

/** Declares a test of every scenario where Vast is as the variant of this name says; a file each, so that they run side by side. */
export function scenariosHold(name: string): void {
  const variant = VARIANTS.find((one) => one.name === name);
  if (!variant) throw new Error(`there is no variant "${name}"`);
  describe(`a rollout on evidence where Vast is ${name}`, () => {
    test.each(SCENARIOS)('$title', async (scenario) => {
      await playIn(variant, scenario);
    });
  });
}
