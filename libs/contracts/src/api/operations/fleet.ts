import { z } from 'zod';
import {
  alarmView,
  deploymentDetail,
  deploymentView,
  fleetView,
  orphanView,
  replicaView,
  routeView,
} from '../../api.js';
import { defineOperation } from './define.js';
import { alsoPast, asOf, deploymentPath, listing, onlyOfDeployment, onlyOfTenant } from './parameters.js';

const question = { method: 'GET', tag: 'fleet', role: 'viewer' } as const;

export const listDeployments = defineOperation({
  ...question,
  id: 'listDeployments',
  path: '/v1/deployments',
  summary: 'Deployments',
  query: z.strictObject({ ...asOf, tenant: onlyOfTenant, all: alsoPast }),
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

export const listReplicas = defineOperation({
  ...question,
  id: 'listReplicas',
  path: '/v1/replicas',
  summary: 'Replicas, each with why it is in its state',
  query: z.strictObject({ ...asOf, deployment: onlyOfDeployment, tenant: onlyOfTenant, all: alsoPast }),
  responses: { 200: listing(replicaView) },
  problems: [404],
});

export const listRoutes = defineOperation({
  ...question,
  id: 'listRoutes',
  path: '/v1/routes',
  summary: 'The present snapshot of every alias',
  query: z.strictObject({ ...asOf, tenant: onlyOfTenant }),
  responses: { 200: listing(routeView) },
});

export const listOrphans = defineOperation({
  ...question,
  id: 'listOrphans',
  path: '/v1/orphans',
  summary: 'What runs at a provider under our prefix and belongs to no live replica',
  query: z.strictObject({
    ...asOf,
    tenant: onlyOfTenant,
    adapter: z.string().max(60).describe('Only of this adapter.').optional(),
    all: alsoPast,
  }),
  responses: { 200: listing(orphanView) },
});

export const listAlarms = defineOperation({
  ...question,
  id: 'listAlarms',
  path: '/v1/alarms',
  summary: 'Alarms that are up',
  query: z.strictObject({
    ...asOf,
    tenant: onlyOfTenant,
    severity: alarmView.shape.severity.describe('Only of this severity.').optional(),
    alarm: z.string().max(100).describe('Only alarms of this name.').optional(),
  }),
  responses: { 200: listing(alarmView) },
});

export const getFleet = defineOperation({
  ...question,
  id: 'getFleet',
  path: '/v1/fleet',
  summary: 'What counts for the freeze',
  query: z.strictObject(asOf),
  responses: { 200: fleetView },
});
