import { z } from 'zod';
import {
  alarmView,
  clearedAlarm,
  deploymentDetail,
  deploymentView,
  fleetView,
  orphanView,
  replicaView,
  routeView,
} from '../../api.js';
import { defineOperation } from './define.js';
import { tenantName } from '../../primitives.js';
import { REPLICA_STATES, resourceView, revisionView } from '../lists.js';
import {
  alsoPast,
  asOf,
  deploymentPath,
  flag,
  isPlain,
  listPart,
  listing,
  nameInPath,
  onlyOfAdapter,
  onlyOfDeployment,
  onlyOfTenant,
} from './parameters.js';

const question = { method: 'GET', tag: 'fleet', role: 'viewer' } as const;

export const listDeployments = defineOperation({
  ...question,
  id: 'listDeployments',
  path: '/v1/deployments',
  summary: 'Deployments',
  query: z.strictObject({
    ...asOf,
    ...listPart,
    tenant: onlyOfTenant,
    all: alsoPast,
    status: z.array(deploymentView.shape.status).min(1).describe('Only in one of these.').optional(),
    paused: flag.describe('Only those that are paused, or are not.').optional(),
    condition: z
      .string()
      .max(100)
      .regex(/^[A-Za-z]+:[A-Za-z-]+$/, { error: 'is not a condition; write NAME:STATUS or NAME:REASON' })
      .describe('Only with this condition, by its status or reason.')
      .meta({ examples: ['Available:false', 'Progressing:WaitingForCapacity'] })
      .optional(),
    label: z
      .array(
        z
          .string()
          .max(200)
          .regex(/^[^=]+=.*$/, { error: 'is not a label; write KEY=VALUE' }),
      )
      .min(1)
      .describe('Only with all of these labels.')
      .meta({ examples: ['team=search'] })
      .optional(),
  }),
  responses: { 200: listing(deploymentView) },
});

export const getDeployment = defineOperation({
  ...question,
  id: 'getDeployment',
  path: '/v1/deployments/{tenant}/{name}',
  summary: 'One deployment with its specification and its present replicas',
  params: deploymentPath,
  query: z.strictObject(asOf),
  responses: { 200: deploymentDetail },
  problems: [404],
});

export const listRevisions = defineOperation({
  ...question,
  id: 'listRevisions',
  path: '/v1/deployments/{tenant}/{name}/revisions',
  summary: 'Revisions of a deployment: what each is made of, who declared it and when',
  params: deploymentPath,
  query: z.strictObject(asOf),
  responses: { 200: listing(revisionView) },
  problems: [404],
});

export const getRevision = defineOperation({
  ...question,
  id: 'getRevision',
  path: '/v1/deployments/{tenant}/{name}/revisions/{revision}',
  summary: 'One revision',
  params: deploymentPath.extend({ revision: z.string().regex(/^[1-9]\d{0,8}$/, { error: 'is not a revision' }) }),
  query: z.strictObject(asOf),
  responses: { 200: revisionView },
  problems: [404],
});

export const listReplicas = defineOperation({
  ...question,
  id: 'listReplicas',
  path: '/v1/replicas',
  summary: 'Replicas, each with why it is in its state',
  query: z.strictObject({
    ...asOf,
    ...listPart,
    deployment: onlyOfDeployment,
    tenant: onlyOfTenant,
    all: alsoPast,
    state: z.array(z.enum(REPLICA_STATES)).min(1).describe('Only in one of these.').optional(),
    adapter: onlyOfAdapter,
    cloud: z.string().max(60).describe('Only placed at this cloud.').optional(),
  }),
  responses: { 200: listing(replicaView) },
  problems: [404],
});

export const getReplica = defineOperation({
  ...question,
  id: 'getReplica',
  path: '/v1/replicas/{tenant}/{name}',
  summary: 'One replica; its name is its id without the tenant',
  params: z.strictObject({ tenant: tenantName, name: nameInPath }),
  query: z.strictObject(asOf),
  responses: { 200: replicaView },
  problems: [404],
});

export const listRoutes = defineOperation({
  ...question,
  id: 'listRoutes',
  path: '/v1/routes',
  summary: 'The present snapshot of every alias',
  query: z.strictObject({ ...asOf, ...listPart, tenant: onlyOfTenant, deployment: onlyOfDeployment }),
  responses: { 200: listing(routeView) },
});

export const getRoute = defineOperation({
  ...question,
  id: 'getRoute',
  path: '/v1/routes/{tenant}/{alias}',
  summary: 'The present snapshot of one alias',
  params: z.strictObject({ tenant: tenantName, alias: nameInPath }),
  query: z.strictObject(asOf),
  responses: { 200: routeView },
  problems: [404],
});

export const listOrphans = defineOperation({
  ...question,
  id: 'listOrphans',
  path: '/v1/orphans',
  summary: 'What runs at a provider under our prefix and belongs to no live replica',
  query: z.strictObject({
    ...asOf,
    ...listPart,
    tenant: onlyOfTenant,
    adapter: onlyOfAdapter,
    all: alsoPast,
    state: z.array(orphanView.shape.state).min(1).describe('Only in one of these.').optional(),
    policy: orphanView.shape.policy.describe('Only found under this policy.').optional(),
  }),
  responses: { 200: listing(orphanView) },
});

export const getOrphan = defineOperation({
  ...question,
  id: 'getOrphan',
  path: '/v1/orphans/{key}',
  summary: 'One orphan, by its key',
  params: z.strictObject({ key: z.string().max(300).refine(isPlain, { error: 'is no key' }) }),
  query: z.strictObject(asOf),
  responses: { 200: orphanView },
  problems: [404],
});

export const listAlarms = defineOperation({
  ...question,
  id: 'listAlarms',
  path: '/v1/alarms',
  summary: 'Alarms that are up',
  query: z.strictObject({
    ...asOf,
    ...listPart,
    tenant: onlyOfTenant,
    about: z.string().max(300).describe('Only about this.').optional(),
    severity: alarmView.shape.severity.describe('Only of this severity.').optional(),
    alarm: z.string().max(100).describe('Only alarms of this name.').optional(),
  }),
  responses: {
    200: listing(alarmView).extend({
      cleared: z.array(clearedAlarm).describe('Cleared after `changedAfter`, and still down; none without it.'),
    }),
  },
});

export const listResources = defineOperation({
  ...question,
  id: 'listResources',
  path: '/v1/resources',
  summary: 'Things at providers, with who owns each and whether it counts as billing',
  query: z.strictObject({
    ...asOf,
    ...listPart,
    tenant: onlyOfTenant,
    deployment: onlyOfDeployment,
    adapter: onlyOfAdapter,
    owner: resourceView.shape.owner.shape.kind.describe('Only owned by this kind of thing.').optional(),
    billing: flag.describe('Only what counts as billing, or does not.').optional(),
    all: alsoPast,
  }),
  responses: { 200: listing(resourceView) },
});

export const getResource = defineOperation({
  ...question,
  id: 'getResource',
  path: '/v1/resources/{key}',
  summary: 'One thing at a provider, by its key',
  params: z.strictObject({ key: z.string().max(300).refine(isPlain, { error: 'is no key' }) }),
  query: z.strictObject(asOf),
  responses: { 200: resourceView },
  problems: [404],
});

export const getFleet = defineOperation({
  ...question,
  id: 'getFleet',
  path: '/v1/fleet',
  summary: 'What counts for the freeze',
  query: z.strictObject(asOf),
  responses: { 200: fleetView },
});
