import { CANARY_SCENARIOS } from './canary.js';
import { CLOSED_SCENARIOS } from './closed.js';
import { ROLLING_SCENARIOS } from './rolling.js';
import { TROUBLE_SCENARIOS } from './trouble.js';
import { TRUST_SCENARIOS } from './trust.js';
import type { Scenario } from './scenario.js';

/** What a rollout on evidence has to hold. */
export const SCENARIOS: readonly Scenario[] = [
  ...CANARY_SCENARIOS,
  ...ROLLING_SCENARIOS,
  ...TRUST_SCENARIOS,
  ...TROUBLE_SCENARIOS,
  ...CLOSED_SCENARIOS,
];
