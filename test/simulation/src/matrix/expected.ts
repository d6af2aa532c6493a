import { ADVISOR_CALLS } from '@davit/capacity-advisor';
import { EVENT_DEFINITIONS } from '@davit/contracts';
import { engineOf } from '@davit/runtime-prober';
import { RUNPOD_CALLS, SKY_CALLS } from '@davit/skypilot-agent';
import { WORLD_HOSTS } from '@davit/world';
import { stepOf } from './points.js';

/** Event types that no elastic or direct workflow writes, each with the reason. */
const NOT_HERE: readonly (readonly [RegExp, string])[] = [
  [/^davit\.access\./, 'written by the front door alone, over who may ask'],
  [/^davit\.webhook\./, 'written by the front door alone, over what it tells'],
  [/^davit\.endpoint\./, 'the serverless backend has workflows of its own'],
  [/^davit\.rollout\./, 'only a serverless deployment is rolled out on evidence'],
  [/^davit\.deployment\.rollout-/, 'an order over such a rollout'],
  [/^davit\.runtime\.traffic-failed$/, 'a gateway writes it through the door of the prober, in no workflow'],
  [/^davit\.replica\.quarantined$/, 'nothing writes it: no workflow has come to a state that it cannot leave'],
  [/^davit\.resource\.adopted$/, 'nothing writes it: what is adopted is told by discovered and launch-accepted'],
];

const RUNPOD = new URL(WORLD_HOSTS.runpod).host;
const VAST = new URL(WORLD_HOSTS.vastConsole).host;

const events = EVENT_DEFINITIONS.map(({ type }) => type).filter(
  (type) => !NOT_HERE.some(([pattern]) => pattern.test(type)),
);
const { health, models, metrics, sleep, about } = engineOf({ engine: 'vllm' });
const probed = [health, models, metrics, sleep, about].map((asked) => asked?.path).filter((path) => path !== undefined);

/** Every step of every elastic and direct workflow, as the code's own tables name them. */
export const EXPECTED_STEPS: readonly string[] = [
  ...events.map(stepOf.append),
  ...Object.keys(SKY_CALLS).map(stepOf.command),
  ...Object.values(RUNPOD_CALLS).map(({ method, route }) => stepOf.http(method, `${RUNPOD}${route}`)),
  ...Object.entries(ADVISOR_CALLS).map(([source, { method, route }]) =>
    stepOf.http(method, `${source.startsWith('vast') ? VAST : RUNPOD}${route}`),
  ),
  ...probed.map((path) => stepOf.http('GET', `model-server${path}`)),
  stepOf.http('POST', 'model-server/v1/chat/completions'),
];

/** Steps that change something outside. */
export const MUTATING_STEPS: readonly string[] = [
  ...Object.entries(SKY_CALLS)
    .filter(([, { mutates }]) => mutates)
    .map(([name]) => stepOf.command(name)),
  ...Object.values(RUNPOD_CALLS)
    .filter(({ mutates }) => mutates)
    .map(({ method, route }) => stepOf.http(method, `${RUNPOD}${route}`)),
];
