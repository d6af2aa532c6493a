import { z } from 'zod';
import { deploymentName, tenantName } from '../../primitives.js';
import { explainView } from '../explain.js';
import { defineOperation } from './define.js';
import { asOf, countUpTo, deploymentPath, isPlain, nameInPath, rolloutPath, wholeNumber } from './parameters.js';

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

const replicaPath = z.strictObject({
  tenant: tenantName,
  name: z
    .string()
    .max(100)
    .regex(/^[a-z][a-z0-9-]*-\d+-\d+-\d+$/, { error: 'is not a replica; write NAME-REVISION-ORDINAL-INCARNATION' })
    .describe('Id of the replica without its tenant.'),
});

export const explainReplica = defineOperation({
  ...story,
  id: 'explainReplica',
  path: '/v1/explain/replicas/{tenant}/{name}',
  summary: 'How a replica came to what it is now, from the intent on',
  params: replicaPath,
});

export const explainDeployment = defineOperation({
  ...story,
  id: 'explainDeployment',
  path: '/v1/explain/deployments/{tenant}/{name}',
  summary: 'How a deployment came to what it is now, from the intent on',
  params: deploymentPath,
});

export const explainRoute = defineOperation({
  ...story,
  id: 'explainRoute',
  path: '/v1/explain/routes/{tenant}/{alias}',
  summary: 'Why requests for an alias go where they go, from the intent on',
  params: z.strictObject({ tenant: tenantName, alias: nameInPath }),
});

export const explainWait = defineOperation({
  ...story,
  id: 'explainWait',
  path: '/v1/explain/waits/{tenant}/{name}',
  summary: 'What a replica waits for, since when and why, from the intent on',
  params: replicaPath,
});

export const explainCost = defineOperation({
  ...story,
  id: 'explainCost',
  path: '/v1/explain/costs/{tenant}/{name}',
  summary: 'Why a deployment came to cost what it does: each price, from where on and until where',
  params: deploymentPath,
});

export const explainRollout = defineOperation({
  ...story,
  id: 'explainRollout',
  path: '/v1/explain/rollouts/{tenant}/{rollout}',
  summary: 'How a rollout came to where it is, from the intent on',
  params: rolloutPath,
});

export const explainVerdict = defineOperation({
  ...story,
  id: 'explainVerdict',
  path: '/v1/explain/verdicts/{tenant}/{rollout}',
  summary: 'Why the verdict on a candidate is what it is, and what else it might have been',
  params: rolloutPath,
});

export const explainAlarm = defineOperation({
  ...story,
  id: 'explainAlarm',
  path: '/v1/explain/alarms',
  summary: 'Why an alarm is up, or was, with the story of what it is about',
  query: story.query.extend({
    alarm: z.string().min(1).max(100).describe('Its name.'),
    about: z.string().min(1).max(300).describe('What it is about.'),
  }),
});

export const explainOrphan = defineOperation({
  ...story,
  id: 'explainOrphan',
  path: '/v1/explain/orphans/{key}',
  summary: 'What is known of something that nobody owns',
  params: z.strictObject({ key: z.string().max(300).refine(isPlain, { error: 'is no key' }) }),
});

export const explainBudget = defineOperation({
  ...story,
  id: 'explainBudget',
  path: '/v1/explain/budgets/{tenant}',
  summary: 'How a budget stands, and what it let wait or ended',
  params: z.strictObject({ tenant: tenantName }),
  query: story.query.extend({
    deployment: deploymentName
      .describe('Name of the deployment whose own budget it is; that of the whole tenant where nothing is said.')
      .optional(),
  }),
});
