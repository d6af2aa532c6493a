import { type NewEvent, stream } from '@davit/contracts';
import { type Refused, type RolloutState, evolveRollout, isRolloutOver } from '@davit/domain';
import type { DeploymentSources } from './deployment-intents.js';
import type { Judge } from './verdict.js';

export interface RolloutOrder {
  readonly verb: 'approve' | 'reject' | 'abort';
  readonly rollout: string;
  /** Of the evidence that was read; an abort may leave it out. */
  readonly evidenceDigest: string | undefined;
  readonly actor: string | null;
  readonly reason: string;
}

/**
 * An operator's word on a rollout, written on the stream of its deployment. It counts only for the evidence that waits at this very
 * moment: who read another one, or read it before it changed, is refused. The same word again changes nothing.
 */
export const orderRollout =
  (sources: DeploymentSources, order: RolloutOrder): Judge =>
  async (intentId) => {
    const { rollout: rolloutId, verb } = order;
    const state = await presentRollout(sources, rolloutId);
    if (!state)
      return refused('not-found', `there is no rollout ${rolloutId}`, 'See `davit rollouts` for those there are.');
    const objection = objectionTo(state, order);
    if (objection) return objection;
    const already = isSaid(state, verb);
    const event = eventOf(order, intentId);
    return {
      outcome: 'accepted',
      facts: { about: rolloutId, changed: !already },
      writes: already ? [] : [{ stream: stream.deployment(state.deployment), expectedVersion: 'any', events: [event] }],
      basedOnPosition: undefined,
    };
  };

function objectionTo(state: RolloutState, { verb, evidenceDigest }: RolloutOrder): Refused | undefined {
  const { id, phase } = state;
  if (isRolloutOver(state))
    return refused('already-over', `rollout ${id} is over`, 'See `davit get rollout` for how it ended.');
  if (verb === 'abort' && evidenceDigest === undefined) return undefined;
  if (phase.name !== 'awaiting-approval') {
    const remedy = 'See `davit rollouts` for those that wait; `davit approve --abort` without a digest stops any.';
    return refused('not-waiting', `rollout ${id} waits for no word: it is ${phase.name}`, remedy);
  }
  const { evidenceDigest: waiting } = phase.request;
  if (evidenceDigest === waiting) return undefined;
  const told = `the evidence that waits is ${waiting}, not ${evidenceDigest ?? 'none'}`;
  return refused('other-evidence', told, 'Read what waits now with `davit get rollout`, then decide on it.');
}

function isSaid({ phase, rejected, aborted }: RolloutState, verb: RolloutOrder['verb']): boolean {
  switch (verb) {
    case 'approve':
      return phase.name === 'awaiting-approval' && phase.approval !== null;
    case 'reject':
      return rejected !== null;
    case 'abort':
      return aborted !== null;
  }
}

function eventOf({ verb, rollout, evidenceDigest, actor, reason }: RolloutOrder, intentId: string): NewEvent {
  const said = { intentId, rolloutId: rollout, actor, reason };
  if (verb === 'abort')
    return { type: 'davit.deployment.rollout-aborted', data: { ...said, evidenceDigest: evidenceDigest ?? null } };
  const data = { ...said, evidenceDigest: evidenceDigest ?? '' };
  return verb === 'approve'
    ? { type: 'davit.deployment.rollout-approved', data }
    : { type: 'davit.deployment.rollout-rejected', data };
}

/** The projection, and what the rollout itself wrote after it: evidence of this very moment counts. */
async function presentRollout({ log, model }: DeploymentSources, id: string): Promise<RolloutState | undefined> {
  const seen = await model.get<RolloutState>('rollout', id);
  const later = await log.readStream(stream.rollout(id), seen?.document.version ?? 0);
  return later.reduce<RolloutState | undefined>(evolveRollout, seen?.document);
}

const refused = (code: string, detail: string, remedy: string): Refused => ({
  outcome: 'refused',
  code,
  detail,
  remedy,
});
