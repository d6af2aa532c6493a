import { z } from 'zod';
import { deploymentName, tenantName } from '../../primitives.js';
import { deletionPlan } from '../deletion-plan.js';
import { doctorAnswer } from '../doctor.js';
import { planView } from '../plan.js';
import { defineOperation } from './define.js';
import { applyBody } from './intents.js';

/** Which deployment. */
const deletionQuestion = z.strictObject({ name: deploymentName, tenant: tenantName.default('default') });

export const plan = defineOperation({
  id: 'plan',
  method: 'POST',
  path: '/v1/plan',
  tag: 'intents',
  summary: 'What applying a specification would do; nothing is changed, nothing is rented',
  role: 'viewer',
  body: applyBody,
  responses: { 200: planView },
  problems: [409, 422],
});

export const planDeletion = defineOperation({
  id: 'planDeletion',
  method: 'POST',
  path: '/v1/plan/delete',
  tag: 'intents',
  summary:
    'What deleting a deployment would withdraw, drain and delete, and what bills until it is proven gone; nothing is changed',
  role: 'viewer',
  body: deletionQuestion,
  responses: { 200: deletionPlan },
  problems: [404, 422],
});

export const examine = defineOperation({
  id: 'examine',
  method: 'GET',
  path: '/v1/doctor',
  tag: 'doctor',
  summary: 'What the server sees of itself and of what it stands on, with the way to mend what is wrong',
  role: 'viewer',
  everyTenant: true,
  query: z.strictObject({}),
  responses: { 200: doctorAnswer },
});
