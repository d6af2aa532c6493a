import { z } from 'zod';
import { placement, stockSignal } from '../placement.js';
import { hourlyPrice, replicaId } from '../primitives.js';
import { defineEvent } from './define.js';

/** Stream `capacity/<cloud>:<accelerator>:<count>`, written by capacity-advisor. Refusals of offers are folded from `replica.failed`. */
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
  /** What an advisor said of a placement that some deployment allows, asked on a schedule: the history of stock and price. */
  defineEvent('davit.capacity.sampled', 1, z.strictObject({ placement, signal: stockSignal })),
  /** A price that is another than the last of this source for this placement; the sources beside the one that counts, too. */
  defineEvent('davit.capacity.price-quoted', 1, z.strictObject({ placement, price: hourlyPrice })),
  defineEvent('davit.capacity.advice-failed', 1, z.strictObject({ placement, source: z.string(), detail: z.string() })),
] as const;
