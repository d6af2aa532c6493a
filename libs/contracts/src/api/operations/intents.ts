import { z } from 'zod';
import {
  abortRolloutIntent,
  applyIntent,
  clearBudgetIntent,
  deploymentAnswer,
  deploymentIntent,
  orderAnswer,
  pauseIntent,
  reapIntent,
  rolloutIntent,
  scaleIntent,
  setBudgetIntent,
  thawIntent,
} from '../../intents.js';
import { deploymentManifest } from '../../spec/manifest.js';
import { defineOperation } from './define.js';

/** The answer to an intent that was taken; it is given only after its event is in the log. */
export const acceptedIntent = z.union([deploymentAnswer.options[0], orderAnswer.options[0]]);

/** A specification as it is, or with key and actor beside it. */
export const applyBody = z.union([deploymentManifest, applyIntent.extend({ deployment: deploymentManifest })]);

const intent = {
  method: 'POST',
  tag: 'intents',
  headers: z.object({
    'idempotency-key': z
      .string()
      .min(1)
      .max(200)
      .describe('The same key and content give the same answer; the same key with other content is a conflict.')
      .optional(),
  }),
  responses: { 202: acceptedIntent },
  problems: [404, 409, 422],
} as const;

/** An intent over one deployment, which may name what was read of it. */
const onDeployment = {
  ...intent,
  headers: intent.headers.extend({
    'if-match': z
      .string()
      .max(1_000)
      .describe('The ETag of a read, or a position in quotes: refused where something was ordered since.')
      .meta({ examples: ['"1042"'] })
      .optional(),
    'if-none-match': z.string().max(1_000).describe('`*`: refused where it is there already.').optional(),
  }),
  problems: [...intent.problems, 412],
} as const;

export const applyDeployment = defineOperation({
  ...onDeployment,
  id: 'applyDeployment',
  path: '/v1/intents/deployment/apply',
  summary: 'Declares a deployment, or changes it',
  role: 'operator',
  body: applyBody,
});

export const deleteDeployment = defineOperation({
  ...onDeployment,
  id: 'deleteDeployment',
  path: '/v1/intents/deployment/delete',
  summary: 'Deletes a deployment and proves that nothing of it is left',
  role: 'operator',
  body: deploymentIntent,
});

export const cancelRevision = defineOperation({
  ...onDeployment,
  id: 'cancelRevision',
  path: '/v1/intents/deployment/cancel',
  summary: 'Stops a rollout: what serves stays, the new revision goes',
  role: 'operator',
  body: deploymentIntent,
});

export const retryDeployment = defineOperation({
  ...onDeployment,
  id: 'retryDeployment',
  path: '/v1/intents/deployment/retry',
  summary: 'Tries again what was given up after failed starts',
  role: 'operator',
  body: deploymentIntent,
});

export const scaleDeployment = defineOperation({
  ...onDeployment,
  id: 'scaleDeployment',
  path: '/v1/intents/deployment/scale',
  summary: 'Asks for another number of replicas; all else stays as it was declared',
  role: 'operator',
  body: scaleIntent,
});

export const pauseDeployment = defineOperation({
  ...onDeployment,
  id: 'pauseDeployment',
  path: '/v1/intents/deployment/pause',
  summary: 'Keeps what serves; nothing is started, replaced or deleted until it is resumed or deleted',
  role: 'operator',
  body: pauseIntent,
});

export const resumeDeployment = defineOperation({
  ...onDeployment,
  id: 'resumeDeployment',
  path: '/v1/intents/deployment/resume',
  summary: 'Ends a pause',
  role: 'operator',
  body: deploymentIntent,
});

export const thawFleet = defineOperation({
  ...intent,
  id: 'thawFleet',
  path: '/v1/intents/fleet/thaw',
  summary: 'Lets a frozen fleet go on: the deaths are real',
  role: 'admin',
  everyTenant: true,
  body: thawIntent,
});

export const reapOrphan = defineOperation({
  ...intent,
  id: 'reapOrphan',
  path: '/v1/intents/orphan/reap',
  summary: 'Lets an orphan be deleted',
  role: 'operator',
  everyTenant: true,
  body: reapIntent,
});

export const setTenantBudget = defineOperation({
  ...intent,
  id: 'setTenantBudget',
  path: '/v1/intents/tenant/set-budget',
  summary: 'Sets what all deployments of a tenant may spend together',
  role: 'admin',
  everyTenant: true,
  body: setBudgetIntent,
});

export const clearTenantBudget = defineOperation({
  ...intent,
  id: 'clearTenantBudget',
  path: '/v1/intents/tenant/clear-budget',
  summary: 'Takes the ceilings of a tenant away',
  role: 'admin',
  everyTenant: true,
  body: clearBudgetIntent,
});

export const approveRollout = defineOperation({
  ...intent,
  id: 'approveRollout',
  path: '/v1/intents/rollout/approve',
  summary: 'Lets a rollout go on with the evidence that waits',
  role: 'operator',
  body: rolloutIntent,
});

export const rejectRollout = defineOperation({
  ...intent,
  id: 'rejectRollout',
  path: '/v1/intents/rollout/reject',
  summary: 'Ends a rollout because of the evidence that waits',
  role: 'operator',
  body: rolloutIntent,
});

export const abortRollout = defineOperation({
  ...intent,
  id: 'abortRollout',
  path: '/v1/intents/rollout/abort',
  summary: 'Stops a rollout, however far it is',
  role: 'operator',
  body: abortRolloutIntent,
});
