import { z } from 'zod';
import { instant } from '../../primitives.js';
import { defineEvent } from '../define.js';
import {
  approval,
  attempt,
  detail,
  digest,
  id,
  leaseEpoch,
  refusal,
  rolloutMoney,
  scalingBounds,
  templateIdentity,
  workerView,
} from './shapes.js';

const workergroup = { workergroupId: z.int().positive() };

const verdictReason = z.strictObject({
  rule: z.string().max(100),
  /** `met`: proven good. `open`: not proven yet. `broken`: proven bad, or out of time. */
  outcome: z.enum(['met', 'open', 'broken']),
  detail,
  /** What the rule computed with; money as decimal text. */
  figures: z.record(z.string().max(100), z.union([z.number(), z.string().max(200), z.null()])),
});
const workers = z.array(workerView).max(1_000);

/** From the question to the operator until the verdict: production changes, worker by worker. */
export const changingEvents = [
  /** Names exactly what will be changed; an approval names the digest of all of this. */
  defineEvent(
    'davit.rollout.approval-requested',
    1,
    z.strictObject({
      ...id,
      ...workergroup,
      required: z.boolean(),
      from: templateIdentity,
      to: templateIdentity,
      bounds: scalingBounds,
      /** If every worker that the bounds allow runs until the last deadline; null where no price is known. */
      worstCaseSpend: rolloutMoney.nullable(),
      evidenceDigest: digest,
      deadlineAt: instant,
    }),
  ),
  /** The workergroup of production is about to be pointed at the candidate. */
  defineEvent(
    'davit.rollout.update-attempted',
    1,
    z.strictObject({
      ...id,
      ...workergroup,
      attempt,
      from: templateIdentity,
      to: templateIdentity,
      bounds: scalingBounds,
      approval,
      leaseEpoch,
    }),
  ),
  defineEvent(
    'davit.rollout.update-triggered',
    1,
    z.strictObject({
      ...id,
      attempt,
      /** What the provider holds now. */
      readBack: templateIdentity,
      updateCall: z.enum(['called', 'not-needed']),
      /** As the provider answered; null where it was not asked. */
      workersToUpdate: z.int().nonnegative().nullable(),
      resolvedBy: z.enum(['reply', 'discovery']),
    }),
  ),
  defineEvent('davit.rollout.update-refused', 1, z.strictObject({ ...id, attempt, ...refusal })),
  defineEvent('davit.rollout.update-unknown', 1, z.strictObject({ ...id, attempt, detail })),
  /** Written on change only. */
  defineEvent(
    'davit.rollout.worker-observed',
    1,
    z.strictObject({
      ...id,
      worker: workerView,
      /** What told which template it is on. */
      evidence: z.enum(['instance', 'image', 'model-identity', 'none']),
      /** Requests it held when it was last seen; null where nobody tells. */
      inFlight: z.int().nonnegative().nullable(),
    }),
  ),
  defineEvent('davit.rollout.worker-gone', 1, z.strictObject({ ...id, workerId: z.int().nonnegative() })),
  /** Every worker is on the candidate, and was so in several observations in a row. */
  defineEvent(
    'davit.rollout.converged',
    1,
    z.strictObject({ ...id, workers: workers.min(1), observations: z.int().min(2) }),
  ),
  defineEvent(
    'davit.rollout.not-converged',
    1,
    z.strictObject({
      ...id,
      workers,
      missing: z.array(z.int().nonnegative()).max(1_000),
      /** The end of the workergroup's log, without secrets. */
      logTail: z.array(z.string().max(500)).max(50),
      detail,
    }),
  ),
  defineEvent(
    'davit.rollout.verdict-reached',
    1,
    z.strictObject({
      ...id,
      verdict: z.enum(['accept', 'reject', 'wait']),
      /** Those that decided stand first. */
      reasons: z.array(verdictReason).min(1).max(64),
      alpha: z.number().positive().max(0.5),
      beta: z.number().positive().max(0.5),
      samples: z.strictObject({ baseline: z.int().nonnegative(), candidate: z.int().nonnegative() }),
      /** SHA-256 of the bundle that it can be worked out from again. */
      bundleDigest: digest,
      /** Verdicts that were not reached, each with the rule that spoke against it. */
      rejectedAlternatives: z
        .array(z.strictObject({ verdict: z.enum(['accept', 'reject', 'wait']), because: z.string().max(500) }))
        .length(2),
    }),
  ),
  /** Acceptance waits: requests queue for longer than the bounds allow. */
  defineEvent(
    'davit.rollout.paused',
    1,
    z.strictObject({
      ...id,
      reason: z.literal('queue-breach'),
      /** Bounds that are about to be written to production; null where more capacity is not wanted or not within the budget. */
      raiseTo: scalingBounds.nullable(),
      detail,
      deadlineAt: instant,
    }),
  ),
  defineEvent('davit.rollout.resumed', 1, z.strictObject({ ...id, detail })),
] as const;
