import type { Turn } from '../turn.js';
import { promptsOf } from '../prompts.js';
import { sample, type SampleBook, samplePlan } from './sampler.js';
import { standingOf, templatesOf, turnsOf } from './standing.js';
import { productionTarget } from './target.js';
import { isNotSeen } from './workers.js';
import { UNLEARNT } from '../../vast/rolling/capabilities.js';

const NAME = 'sampling';

/** Sends requests of our own from the change of production until the end of the rollout, so that it is seen how it serves meanwhile. */
export async function keepSampling(turn: Turn): Promise<void> {
  const { state, jobs, parts, plan } = turn;
  const running = jobs.get<SampleBook, null>(state.id, NAME);
  if (running && running.end === null) return;
  const target = await productionTarget(turn);
  const prompts = await promptsOf(turn);
  const templates = await templatesOf(turn);
  if (isNotSeen(target) || !prompts || !templates) return;
  const turns = turnsOf(state);
  const book: SampleBook = running?.data ?? { sampled: [] };
  const question = {
    ...{ ...samplePlan(plan.policy), windows: Infinity, target, prompts },
    revisionOf: (worker: Parameters<typeof standingOf>[0]) => {
      const { on } = standingOf(worker, { templates, capabilities: UNLEARNT, probed: new Map() }, turns).view;
      return on === 'candidate' || on === 'old' ? on : null;
    },
  };
  jobs.begin(state.id, NAME, book, (ordered) => sample(parts, question, book, ordered));
}

/** What was seen since then; empty where this process saw none of it. */
export const sampledSince = ({ state, jobs }: Turn, sinceMs: number): SampleBook['sampled'] =>
  (jobs.get<SampleBook, null>(state.id, NAME)?.data.sampled ?? []).filter(({ fromMs }) => fromMs >= sinceMs);
