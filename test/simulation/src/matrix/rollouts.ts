import { followRollout, isAllGone, servesFirst } from '../rollout/follow.js';
import { serverlessManifest } from '../rollout/manifest.js';
import { type Mood, spoil } from '../rollout/moods.js';
import { SERVERLESS_TIMINGS } from '../rollout/outside.js';
import type { RolloutEnd } from '../rollout/watch.js';
import type { Scenario } from './scenario.js';
import type { Stage } from './stage.js';

const CHAT = { tenant: 'default', name: 'chat' };
const FIRST = '2048';
const SECOND = '8192';

/** When a candidate begins to be what it is: as soon as there is one, or only once it has proved itself. */
type From = 'template' | 'question';

/** A rollout to its end, whichever that becomes when something befalls it; production shows it, and then all of it goes. */
const rollout = (name: string, mood: Mood, from: From, usual: RolloutEnd['type']): Scenario => ({
  name: `a rollout on evidence: ${name}`,
  settings: { serverless: true, timings: SERVERLESS_TIMINGS },
  async play(stage, isStruck) {
    const { simulation } = stage;
    await declare(stage, FIRST);
    await servesFirst(simulation);
    const position = await simulation.log.head();
    await declare(stage, SECOND);
    let template = '';
    const end = await followRollout(simulation, 'the candidate', position, {
      onTemplate(hash) {
        template = hash;
        if (from === 'template') spoil(simulation, mood, hash);
      },
      onQuestion({ rolloutId, evidenceDigest }) {
        if (from === 'question') spoil(simulation, mood, template);
        const body = { rollout: rolloutId, evidenceDigest, reason: 'looked at it' };
        void stage.door.ask((handler, origin) => handler.rollout('approve', body, origin));
      },
    });
    if (!isStruck && end?.type !== usual) throw new Error(`ended with ${end?.type ?? 'nothing'}, not with ${usual}`);
    await stage.door.ask((handler, origin) => handler.delete(CHAT, origin));
    await isAllGone(simulation);
  },
});

async function declare({ door }: Stage, maxModelLen: string): Promise<void> {
  const answer = await door.ask((handler, origin) => handler.apply(serverlessManifest({ maxModelLen }), origin));
  if (answer.outcome !== 'accepted') throw new Error(`refused: ${answer.detail}`);
}

/** The workflows of rollouts on evidence, each from its beginning to its end. */
export const ROLLOUT_SCENARIOS: readonly Scenario[] = [
  rollout('a good candidate is accepted', 'good', 'template', 'davit.rollout.accepted'),
  rollout('a candidate with other answers is rejected', 'schema', 'template', 'davit.rollout.rejected'),
  rollout('a candidate that regresses is rolled back', 'slow', 'question', 'davit.rollout.rolled-back'),
];

const ORDERS = [
  /^http vast-serverless (POST|PUT|DELETE) console\.vast\.ai\/api\/v0\/(endptjobs|workergroups|template)\//,
  /^http vast-serverless POST run\.vast\.ai\/update_workers\//,
];

/** Calls that change something at Vast. */
export const isVastOrder = (id: string): boolean => ORDERS.some((order) => order.test(id));
