import { z } from 'zod';
import { placement, stockSignal } from '../placement.js';
import { hourlyPrice, replicaId } from '../primitives.js';
import { defineEvent } from './define.js';

/** Stream `capacity/<cloud>:<accelerator>:<count>`, written by capacity-advisor. */
export const capacityEvents = [
  defineEvent(
    'davit.capacity.assessed',
    1,
    z.strictObject({
      /** The replica that needed to know. */
      replicaId,
      /** Number of the discovery that found nothing and so led to the question. */
      attempt: z.int().positive(),
      rung: z.int().nonnegative(),
      placement,
      signal: stockSignal,
    }),
  ),
  defineEvent('davit.capacity.price-quoted', 1, z.strictObject({ placement, price: hourlyPrice })),
  defineEvent('davit.capacity.advice-failed', 1, z.strictObject({ placement, source: z.string(), detail: z.string() })),
  defineEvent('davit.capacity.offer-refused', 1, z.strictObject({ placement, replicaId, detail: z.string() })),
] as const;
