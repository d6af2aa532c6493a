import { z } from 'zod';
import { instant } from '../primitives.js';

const template = z.object({ templateId: z.int(), templateHash: z.string() });

/** Row of `GET /v1/rollouts`, and answer of `GET /v1/rollouts/:tenant/:rollout`. */
export const rolloutView = z.object({
  id: z.string(),
  tenant: z.string(),
  deployment: z.string(),
  revision: z.int(),
  fromRevision: z.int(),
  replica: z.string(),
  phase: z.string(),
  /** `null` while it is not over. */
  outcome: z.enum(['accepted', 'rejected', 'rolled-back', 'refused']).nullable(),
  startedAt: instant,
  /** When the present phase began. */
  since: instant,
  /** What it does or waits for, or how it ended. */
  why: z.string(),
  /** What waits for an operator: `davit approve` names the digest. */
  waiting: z.object({ evidenceDigest: z.string(), deadlineAt: instant }).nullable(),
  rollback: template.nullable(),
  candidate: template.nullable(),
  canary: z.object({ externalKey: z.string(), removed: z.boolean() }).nullable(),
  workers: z.array(z.object({ workerId: z.int(), status: z.string(), on: z.string() })),
  position: z.int(),
});
export type RolloutView = z.infer<typeof rolloutView>;

/** Page of `GET /v1/rollouts`; `next` is `after` of the following question, null at the end. */
export const rolloutPage = z.object({ items: z.array(rolloutView), position: z.int(), next: z.string().nullable() });
export type RolloutPage = z.infer<typeof rolloutPage>;

/** Answer of `GET /v1/rollouts/:tenant/:rollout/receipt`: text of each file, by path below the directory of the receipt. */
export const rolloutReceipt = z.object({ rollout: z.string(), files: z.record(z.string(), z.string()) });
export type RolloutReceipt = z.infer<typeof rolloutReceipt>;
