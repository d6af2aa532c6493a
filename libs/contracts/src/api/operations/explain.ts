import { z } from 'zod';
import { tenantName } from '../../primitives.js';
import { explainView } from '../explain.js';
import { defineOperation } from './define.js';
import { asOf, countUpTo, deploymentPath, wholeNumber } from './parameters.js';

const story = {
  method: 'GET',
  tag: 'explain',
  role: 'viewer',
  query: z.strictObject({
    ...asOf,
    after: wholeNumber(0).describe('`next` of the page before.'),
    limit: countUpTo(1_000, 500).describe('Lines of the story at most.'),
  }),
  responses: { 200: explainView },
  problems: [404],
} as const;

export const explainReplica = defineOperation({
  ...story,
  id: 'explainReplica',
  path: '/v1/explain/replicas/{tenant}/{name}',
  summary: 'How a replica came to what it is now, from the intent on',
  params: z.strictObject({
    tenant: tenantName,
    name: z
      .string()
      .max(100)
      .regex(/^[a-z][a-z0-9-]*-\d+-\d+-\d+$/, { error: 'is not a replica; write NAME-REVISION-ORDINAL-INCARNATION' })
      .describe('Id of the replica without its tenant.'),
  }),
});

export const explainDeployment = defineOperation({
  ...story,
  id: 'explainDeployment',
  path: '/v1/explain/deployments/{tenant}/{name}',
  summary: 'How a deployment came to what it is now, from the intent on',
  params: deploymentPath,
});
