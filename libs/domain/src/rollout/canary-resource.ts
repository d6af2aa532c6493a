import type { EventData, RecordedEvent } from '@davit/contracts';
import type { ReplicaState } from '../lifecycle/state.js';
import type { RolloutState } from './state.js';

type Requested = RecordedEvent & { readonly data: EventData<'davit.rollout.canary-requested'> };

/**
 * The canary as a thing at the provider that is wanted, so that whoever drives the resources of replicas drives it as well. It
 * has no replica of its own: it serves nobody.
 */
export function canaryResource(rollout: RolloutState, { data, time }: Requested): ReplicaState {
  const { id, tenant, deployment, revision, correlationId } = rollout;
  const nobody = { everReady: false, readyAt: null, progress: null, meter: null, retryAt: null, waitsSince: null };
  const nothing = { placement: null, rung: null, price: null, resource: null, runtime: null, load: null };
  const launch = { attempt: 1, outcome: 'requested', since: time, requestedAt: time, deadlineAt: time } as const;
  return {
    ...{ id, rolloutId: id, tenant, deployment, revision, correlationId, ordinal: 0, incarnation: 0 },
    ...{ externalKey: data.externalKey, mode: 'serverless', adapter: 'vast-serverless', servedName: '' },
    ...{ status: 'launching', since: time, reason: 'proves a candidate' },
    ...nobody,
    ...nothing,
    discovery: { attempt: 1, outcome: 'absent', at: null, detail: '' },
    assessments: {},
    launch: { ...launch, handle: null, class: null, detail: '' },
    absence: { observedAt: [], confirmedAt: null, released: false },
    route: { registered: false, aliases: [], changedAt: null, snapshot: null },
    ...{ drain: null, failure: null },
    deletion: null,
    versions: { replica: 0, resource: 0, runtime: 0 },
  };
}

/** It is to go: what was seen absent before nobody wanted it gone proves nothing. */
export function endingResource(resource: ReplicaState, { time }: RecordedEvent): ReplicaState {
  const deletion = { attempt: resource.deletion?.attempt ?? 0, outcome: 'requested', since: time } as const;
  return {
    ...resource,
    ...{ status: 'deleting', since: time, reason: 'its rollout needs it no more' },
    deletion: { ...deletion, class: null, detail: '' },
    absence: { observedAt: [], confirmedAt: null, released: false },
  };
}
