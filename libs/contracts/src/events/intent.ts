import { z } from 'zod';
import { deploymentKey } from '../primitives.js';
import { fieldProblem } from '../problem.js';
import { defineEvent } from './define.js';

/** Stream `intent/<intentId>`, written by spec-api. */
export const intentEvents = [
  defineEvent(
    'davit.intent.received',
    1,
    z.strictObject({
      intentId: z.uuid(),
      verb: z.enum([
        'apply',
        'delete',
        'cancel',
        'retry',
        'scale',
        'pause',
        'resume',
        'thaw',
        'reap',
        'set-budget',
        'clear-budget',
        'approve',
        'reject',
        'abort',
      ]),
      channel: z.enum(['http', 'nats']),
      idempotencyKey: z.string().max(200).nullable(),
      /** SHA-256 of the canonical request body, hexadecimal. */
      contentDigest: z.string().length(64),
    }),
  ),
  defineEvent(
    'davit.intent.accepted',
    1,
    z.strictObject({
      intentId: z.uuid(),
      /** The deployment as it is then, when the intent is about one. */
      deployment: deploymentKey.optional(),
      revision: z.int().positive().optional(),
      generation: z.int().positive().optional(),
      /** What it is about when that is no deployment: `fleet`, the key of an orphan, `tenant/<name>`, or the id of a rollout. */
      about: z.string().max(300).optional(),
      /** False when it already was so. */
      changed: z.boolean(),
    }),
  ),
  defineEvent(
    'davit.intent.rejected',
    1,
    z.strictObject({ intentId: z.uuid(), code: z.string(), detail: z.string(), problems: z.array(fieldProblem) }),
  ),
] as const;
