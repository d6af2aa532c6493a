import type { HttpOutcome } from '@davit/ports';

const HIDDEN = '***';

/** Providers, and proxies before them, echo what they were sent: a key must not come back as one of their words (law 13). */
export function hideSecret(outcome: HttpOutcome, secret: string | undefined): HttpOutcome {
  if (secret === undefined || secret === '' || outcome.kind === 'failure') return outcome;
  return { ...outcome, body: outcome.body.replaceAll(secret, HIDDEN) };
}
