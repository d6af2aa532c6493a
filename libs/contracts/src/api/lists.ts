import { z } from 'zod';
import { hourlyPrice, instant } from '../primitives.js';
import { fieldProblem } from '../problem.js';
import { normalisedDeployment } from '../spec/deployment.js';

/** What a replica does, in the words of `GET /v1/replicas`. */
export const REPLICA_STATES = [
  'requested',
  'waiting',
  'launching',
  'loading',
  'ready',
  'serving',
  'draining',
  'drained',
  'failed',
  'deleting',
  'deleted',
  'quarantined',
] as const;

/** Row of `GET /v1/deployments/{tenant}/{name}/revisions`. */
export const revisionView = z.object({
  revision: z.int(),
  /** It serves: it was complete once, and no later one was since. */
  active: z.boolean(),
  /** The one that was declared last. */
  latest: z.boolean(),
  /** Of each declaration of it, the oldest first; scaling alone declares the same revision anew. */
  declarations: z.array(
    z.object({
      generation: z.int(),
      at: instant,
      position: z.int(),
      actor: z.string().nullable(),
      intentId: z.string(),
    }),
  ),
  templateDigest: z.string(),
  /** As it was declared last. */
  spec: normalisedDeployment,
  /** Of its latest declaration. */
  position: z.int(),
});
export type RevisionView = z.infer<typeof revisionView>;

/** Row of `GET /v1/resources`: a thing at a provider, or one that may be there. */
export const resourceView = z.object({
  key: z.string(),
  tenant: z.string(),
  externalKey: z.string(),
  adapter: z.string(),
  /** The provider's own identity of it, where it tells one. */
  providerId: z.string().nullable(),
  owner: z.object({ kind: z.enum(['replica', 'rollout', 'nobody']), id: z.string().nullable() }),
  deployment: z.string().nullable(),
  /** As the provider showed it last; `unknown` while it cannot be asked, or never showed it. */
  phase: z.string(),
  detail: z.string(),
  url: z.string().nullable(),
  /** How far its end is proven. */
  absence: z.enum(['not-seen-absent', 'seen-absent', 'proven', 'let-go']),
  /** Until it is proven gone, what may run counts as billing. */
  billing: z.boolean(),
  price: hourlyPrice.nullable(),
  position: z.int(),
});
export type ResourceView = z.infer<typeof resourceView>;

/** Row of `GET /v1/intents`: what was asked for, and what was answered. */
export const intentView = z.object({
  id: z.string(),
  tenant: z.string(),
  verb: z.string(),
  channel: z.string(),
  actor: z.string().nullable(),
  at: instant,
  outcome: z.enum(['accepted', 'rejected']),
  deployment: z.string().nullable(),
  /** What it is about when that is no deployment. */
  about: z.string().nullable(),
  revision: z.int().nullable(),
  generation: z.int().nullable(),
  /** False when it already was so; null for one that was rejected. */
  changed: z.boolean().nullable(),
  /** Why it was rejected. */
  refusal: z.object({ code: z.string(), detail: z.string(), problems: z.array(fieldProblem) }).nullable(),
  /** Of its outcome. */
  position: z.int(),
});
export type IntentView = z.infer<typeof intentView>;
