import { type NewEvent, stream } from '@davit/contracts';
import { FLEET_KEY, type FleetState, type OrphanState, type Refused, evolveFleet, evolveOrphan } from '@davit/domain';
import type { DeploymentSources } from './deployment-intents.js';
import type { Judge, Verdict } from './verdict.js';

/** The deaths are real: what is frozen goes on. */
export const thaw =
  (sources: DeploymentSources, reason: string): Judge =>
  async (intentId) => {
    const fleet = await presentFleet(sources);
    if (!fleet?.frozen) {
      return refused(
        'not-frozen',
        'the fleet is not frozen, so nothing is held back',
        'See `davit fleet` for how many replicas serve and what was lost.',
      );
    }
    return ordered('fleet', fleet.thawOrdered !== null, {
      type: 'davit.fleet.thaw-ordered',
      data: { intentId, reason },
    });
  };

/** An orphan may be deleted. */
export const reap =
  (sources: DeploymentSources, orphan: string, reason: string): Judge =>
  async (intentId) => {
    const state = await presentOrphan(sources, orphan);
    if (!state) {
      return refused(
        'not-found',
        `there is no orphan ${orphan}`,
        'See `davit orphans` for the keys of those there are.',
      );
    }
    if (state.status === 'gone' || state.status === 'cleared') {
      const why = state.status === 'gone' ? 'is already proven gone' : 'is no orphan any more';
      return refused('already-gone', `${orphan} ${why}`, 'Nothing is left to be done.');
    }
    if (state.policy === 'report') {
      return refused(
        'policy-report',
        `${orphan} was found under the policy "report", which deletes nothing`,
        `Delete ${state.externalKey} at the provider by hand, or set DAVIT_ORPHAN_POLICY=approve, restart and wait until it is found anew.`,
      );
    }
    const event = { type: 'davit.fleet.reap-approved', data: { intentId, orphan, reason } } as const;
    return ordered(orphan, state.approved !== null, event);
  };

/** The projection, and what came after it: a freeze of this very moment counts. */
async function presentFleet({ log, model }: DeploymentSources): Promise<FleetState | undefined> {
  const seen = await model.get<FleetState>('fleet', FLEET_KEY);
  const later = await log.readStream(stream.fleetLosses, seen?.document.version ?? 0);
  return later.reduce<FleetState | undefined>(evolveFleet, seen?.document);
}

async function presentOrphan({ log, model }: DeploymentSources, key: string): Promise<OrphanState | undefined> {
  const seen = await model.get<OrphanState>('orphan', key);
  if (!seen) return undefined;
  const { category, version } = seen.document;
  const later = await log.readStream(stream[category](key), version);
  return later.reduce<OrphanState | undefined>(evolveOrphan, seen.document);
}

function ordered(about: string, already: boolean, event: NewEvent): Verdict {
  return {
    outcome: 'accepted',
    facts: { about, changed: !already },
    writes: already ? [] : [{ stream: stream.fleetOrders, expectedVersion: 'any', events: [event] }],
    basedOnPosition: undefined,
  };
}

const refused = (code: string, detail: string, remedy: string): Refused => ({
  outcome: 'refused',
  code,
  detail,
  remedy,
});
