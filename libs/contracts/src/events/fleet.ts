import { z } from 'zod';
import { defineEvent } from './define.js';

/** Stream `fleet/alarms`, written by any service. */
export const fleetEvents = [
  defineEvent(
    'davit.fleet.alarm-raised',
    1,
    z.strictObject({
      alarm: z.string(),
      severity: z.enum(['warning', 'critical']),
      about: z.string(),
      detail: z.string(),
    }),
  ),
  defineEvent(
    'davit.fleet.alarm-cleared',
    1,
    z.strictObject({ alarm: z.string(), about: z.string(), detail: z.string() }),
  ),
] as const;
