import { stream } from '@davit/contracts';
import type { Accepted, DeploymentState, Refused } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import type { ReadModel } from '@davit/projection';
import type { DeploymentPasts } from './deployment-pasts.js';
import type { Judge, Verdict } from './verdict.js';

export type Decide = (state: DeploymentState | undefined, intentId: string) => Accepted | Refused;

export interface DeploymentSources {
  readonly log: EventLog;
  readonly model: Pick<ReadModel, 'get'>;
}

/**
 * Decides on a deployment as its own stream has it. What its replicas tell (starts that failed) comes from the projection,
 * which may be a moment behind: it never decides on what is written, only on whether there is reason to.
 */
export const onDeployment =
  (pasts: DeploymentPasts, model: DeploymentSources['model'], key: string, decide: Decide): Judge =>
  async (intentId): Promise<Verdict> => {
    const [past, seen] = await Promise.all([pasts.read(key), model.get<DeploymentState>('deployment', key)]);
    const own = past.state;
    const state = own && seen ? { ...own, failedStarts: seen.document.failedStarts } : own;
    const decision = decide(state, intentId);
    if (decision.outcome === 'refused') return own ? decision : named(decision, key);
    const { revision, generation, changed, events } = decision;
    const [first, ...rest] = events;
    return {
      outcome: 'accepted',
      facts: { deployment: key, revision, generation, changed },
      writes: first
        ? [{ stream: stream.deployment(key), expectedVersion: past.version, events: [first, ...rest] }]
        : [],
      basedOnPosition: past.position,
    };
  };

/** What was never declared has no state that could say its name. */
const named = (refusal: Refused, key: string): Refused =>
  refusal.code === 'not-found' ? { ...refusal, detail: `there is no deployment ${JSON.stringify(key)}` } : refusal;
