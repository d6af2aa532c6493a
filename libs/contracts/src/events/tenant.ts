import { z } from 'zod';
import { spendLimits } from '../budget.js';
import { defineEvent } from './define.js';

/** Stream `tenant/<name>`, written by spec-api. */
export const tenantEvents = [
  /** What all deployments of the tenant may spend together; null takes the limits away. */
  defineEvent('davit.tenant.budget-set', 1, z.strictObject({ intentId: z.uuid(), budget: spendLimits.nullable() })),
] as const;
