import { z } from 'zod';
import { placement } from '../placement.js';
import { errorClass, externalKey, hourlyPrice, instant, replicaId, rolloutId } from '../primitives.js';
import { defineEvent } from './define.js';

export const resourcePhase = z.enum(['provisioning', 'up', 'stopped', 'failed', 'unknown']);
export type ResourcePhase = z.infer<typeof resourcePhase>;

/** The owner of the resource in Davit's log; null for something found that nobody here asked for. */
const owner = {
  externalKey,
  replicaId: replicaId.nullable(),
  adapter: z.string(),
  /** The rollout whose canary it is: such an endpoint has no replica. Absent with everything else. */
  rolloutId: rolloutId.optional(),
};
const attempt = z.int().positive();
const detail = z.string().max(2_000);

/** Facts about a thing at a provider. Resources of elastic and direct backends and endpoints of serverless ones share them. */
function providerFacts<Category extends 'resource' | 'endpoint'>(category: Category) {
  return [
    defineEvent(
      `davit.${category}.discovered`,
      1,
      z.strictObject({
        ...owner,
        /** Number of the discovery asked for by `replica.discovery-requested`. */
        attempt,
        outcome: z.enum(['present', 'absent', 'unknown']),
        detail,
      }),
    ),
    defineEvent(
      `davit.${category}.launch-attempted`,
      1,
      z.strictObject({ ...owner, attempt, placement: placement.nullable(), leaseEpoch: z.int().positive() }),
    ),
    defineEvent(
      `davit.${category}.launch-accepted`,
      1,
      z.strictObject({
        ...owner,
        attempt,
        /** The provider's own handle of the launch, for example a request id. */
        handle: z.string().nullable(),
        resolvedBy: z.enum(['reply', 'discovery']),
      }),
    ),
    defineEvent(
      `davit.${category}.launch-refused`,
      1,
      z.strictObject({ ...owner, attempt, class: errorClass, detail }),
    ),
    defineEvent(`davit.${category}.launch-unknown`, 1, z.strictObject({ ...owner, attempt, detail })),
    defineEvent(
      `davit.${category}.observed`,
      1,
      z.strictObject({
        ...owner,
        phase: resourcePhase,
        url: z.url().nullable(),
        /** The provider's identity of this very incarnation, to notice a same-name replacement. */
        providerId: z.string().nullable(),
        price: hourlyPrice.nullable(),
        class: errorClass.nullable(),
        detail,
      }),
    ),
    defineEvent(
      `davit.${category}.diagnosed`,
      1,
      z.strictObject({ ...owner, boundary: z.string(), class: errorClass, detail, remedy: z.string() }),
    ),
    defineEvent(
      `davit.${category}.delete-attempted`,
      1,
      z.strictObject({ ...owner, attempt, leaseEpoch: z.int().positive() }),
    ),
    defineEvent(`davit.${category}.delete-accepted`, 1, z.strictObject({ ...owner, attempt, detail })),
    defineEvent(
      `davit.${category}.delete-refused`,
      1,
      z.strictObject({ ...owner, attempt, class: errorClass, detail }),
    ),
    defineEvent(`davit.${category}.delete-unknown`, 1, z.strictObject({ ...owner, attempt, detail })),
    defineEvent(
      `davit.${category}.absence-observed`,
      1,
      z.strictObject({ ...owner, by: z.enum(['key', 'inventory']), inventoryRows: z.int().nonnegative().nullable() }),
    ),
    defineEvent(
      `davit.${category}.absence-confirmed`,
      1,
      z.strictObject({
        ...owner,
        observedAt: z.array(instant).min(2),
        inventoryRows: z.int().nonnegative(),
        /** Who listed: the renting tool's own table, and the provider itself where it can be asked. */
        inventorySources: z.array(z.string()).optional(),
      }),
    ),
    /**
     * Something at the provider that carries this installation's prefix and that no live replica owns. It has a stream of
     * its own, named by its own identity at the provider, so that it is never mixed up with the thing a replica owns.
     */
    defineEvent(
      `davit.${category}.orphan-found`,
      1,
      z.strictObject({
        ...owner,
        /**
         * `no-owner`: the log never asked for it; `owner-gone`: its replica is gone; `duplicate`: its replica has another one;
         * `canary-left`: the rollout whose canary had its name is rid of it, or over.
         */
        reason: z.enum(['no-owner', 'owner-gone', 'duplicate', 'canary-left']),
        providerId: z.string().nullable(),
        phase: resourcePhase,
        price: hourlyPrice.nullable(),
        /** Nothing is done to it before this instant: its owner may still turn up. */
        quarantinedUntil: instant,
        /** What may follow: nothing, deletion once somebody approves it, or deletion by itself. */
        policy: z.enum(['report', 'approve', 'auto']),
        detail,
      }),
    ),
    /** No orphan any more: its owner turned up, or it went away without us. */
    defineEvent(
      `davit.${category}.orphan-cleared`,
      1,
      z.strictObject({ ...owner, reason: z.enum(['owner-found', 'gone']), detail }),
    ),
    /** Somebody or something else changed it: what was known, and what is seen now. */
    defineEvent(
      `davit.${category}.drifted`,
      1,
      z.strictObject({
        ...owner,
        /**
         * `record-lost`: the machine runs, but the tool that rented it has forgotten it. `changed`: it is the same thing
         * with another setting, template or search than was asked for.
         */
        what: z.enum(['vanished', 'replaced', 'stopped', 'reappeared', 'record-lost', 'changed']),
        was: z.string().max(500),
        is: z.string().max(500),
        detail,
      }),
    ),
    defineEvent(`davit.${category}.adopted`, 1, z.strictObject({ ...owner, detail })),
    /** Let go without deleting: an endpoint that was only adopted keeps running. */
    defineEvent(`davit.${category}.released`, 1, z.strictObject({ ...owner, detail })),
  ] as const;
}

/** Stream `resource/<externalKey>`, written by skypilot-agent. */
export const resourceEvents = providerFacts('resource');
/** Stream `endpoint/<externalKey>`, written by vast-serverless. */
export const endpointEvents = providerFacts('endpoint');
