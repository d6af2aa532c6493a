import { z } from 'zod';
import { rolloutMoney, scalingBounds, templateIdentity } from '../events/rollout/shapes.js';
import { externalKey, instant, rolloutId } from '../primitives.js';
import { contractRecord } from './verdict.js';
import { ms, sha256, token } from './words.js';

/** What the canary showed: when it loaded and served, and what it answered, by digest. Null: it did not come so far. */
export const candidateEvidence = z.object({
  version: z.literal(1),
  externalKey,
  template: templateIdentity.nullable(),
  loadMs: ms.nullable(),
  readinessMs: ms.nullable(),
  responseSchema: token.nullable(),
  outputs: z
    .array(
      z.object({ prompt: sha256, output: sha256, agrees: z.boolean(), by: z.string().regex(/^[\w .,=≥<>%-]{1,100}$/) }),
    )
    .max(256),
  contract: contractRecord.nullable(),
});

/** Exactly what an approval allows, with the evidence that is to be looked at before. */
export const changeEvidence = z.object({
  version: z.literal(1),
  rolloutId,
  workergroupId: z.int().positive(),
  from: templateIdentity,
  to: templateIdentity,
  bounds: scalingBounds,
  worstCaseSpend: rolloutMoney.nullable(),
  deadlineAt: instant,
  evidence: z.array(sha256).max(16),
});
