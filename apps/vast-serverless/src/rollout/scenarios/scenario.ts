import { strict as assert } from 'node:assert';
import { RolloutRig } from '../testing/rollout-rig.js';
import { EXTERNAL_KEY, PROMPT_CANARY } from '../testing/setting.js';
import type { Wish } from '../testing/wish.js';
import { unapprovedChanges } from './approvals.js';
import type { Variant } from './variants.js';

/** One of the acceptance scenarios of a rollout: what happens, and what must have come of it. */
export interface Scenario {
  /** A sentence that states the rule. */
  readonly title: string;
  readonly wish?: Wish;
  /** @throws AssertionError where something else came of it */
  play(rig: RolloutRig, variant: Variant): Promise<void>;
}

/** What came of one: `ok`, or what did not hold. */
export interface Outcome {
  readonly title: string;
  readonly said: string;
}

/** Plays it in one world; whatever it is about, nothing leaks, is done twice, or done without a word. */
export async function playIn(variant: Variant, scenario: Scenario): Promise<void> {
  const { wish = {} } = scenario;
  const rig = new RolloutRig({
    ...wish,
    vast: { ...variant.vast, ...wish.vast },
    settings: { ...variant.settings, ...wish.settings },
    isScoped: wish.isScoped ?? variant.isScoped ?? false,
  });
  // Only another wording tells templates apart where records do not.
  if (variant.isBlind) rig.spoil('wording');
  try {
    await rig.serving();
    await scenario.play(rig, variant);
    assert.deepEqual(await heldBy(rig), []);
  } finally {
    rig.end();
  }
}

/** What of the laws does not hold after all that happened. */
export async function heldBy(rig: RolloutRig): Promise<readonly string[]> {
  const { vast } = rig.world;
  const events = await rig.events();
  const { leaked } = vast.truth();
  const told = [JSON.stringify(events), JSON.stringify(rig.evidence.kept), ...rig.logged].join('\n');
  const sent = rig.witness.requests.map(({ url, body }) => `${url} ${body}`).join('\n');
  const ownKeys = [...vast.keys.secrets(), vast.options.apiKey];
  return [
    ...(leaked > 0 ? [`${leaked} workers leaked`] : []),
    ...rig.witness.doubled.map((name) => `${name} was made twice`),
    ...unapprovedChanges(rig.witness.requests, events, rig.witness.endpointsNamed(EXTERNAL_KEY)),
    ...(await rig.broken()).map((violation) => JSON.stringify(violation)),
    ...vast.canariesIn(told).map((what) => `a secret was told: ${what}`),
    ...(told.includes(PROMPT_CANARY) ? ['a prompt was told'] : []),
    ...(ownKeys.some((key) => sent.includes(key)) ? ['a key stood in an address or a body'] : []),
  ];
}
