import { stream } from '@davit/contracts';
import type { Write } from '../decision.js';
import { externalKeyOf, replicaIdOf } from '../identity.js';
import type { DeploymentState } from '../lifecycle/state.js';
import { slotName } from './slots.js';

/** Asks for the next incarnation of a slot, and for a look whether a thing of its name is there already. */
export function requestReplica(deployment: DeploymentState, ordinal: number, installation: string): Write {
  const { revision, spec, key } = deployment;
  const incarnation = (deployment.incarnations[slotName(deployment, ordinal)] ?? 0) + 1;
  const identity = { deployment: key, revision, ordinal, incarnation };
  const replicaId = replicaIdOf(identity);
  const replaces = incarnation > 1 ? replicaIdOf({ ...identity, incarnation: incarnation - 1 }) : null;
  const { compute, model } = spec.spec;
  return {
    stream: stream.replica(replicaId),
    expectedVersion: 0,
    events: [
      {
        type: 'davit.replica.requested',
        data: {
          replicaId,
          deployment: key,
          revision,
          ordinal,
          incarnation,
          externalKey: externalKeyOf(identity, installation),
          mode: compute.mode,
          adapter: compute.adapter,
          servedName: model.servedName,
          reason:
            replaces === null ? `revision ${revision} needs replica ${ordinal}` : `takes the place of ${replaces}`,
          replaces,
        },
      },
      { type: 'davit.replica.discovery-requested', data: { replicaId, attempt: 1 } },
    ],
  };
}
