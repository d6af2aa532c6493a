import { describe, test } from '@jest/globals';
import { SCENARIOS } from './scenarios/index.js';
import { playIn } from './scenarios/scenario.js';
import { VARIANTS } from './scenarios/variants.js';

describe.each(SCENARIOS)('a rollout on evidence: $title', (scenario) => {
  test.each(VARIANTS)('where Vast is $name', async (variant) => {
    await playIn(variant, scenario);
  });
});
