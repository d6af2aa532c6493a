import { redact } from '@davit/provider-kit';

const REPLACEMENT = '[redacted]';
/** Runs of characters as keys, signatures and digests have them; names of Davit have hyphens in between. */
const LONG_RUN = /[A-Za-z0-9+/_=]{20,}/g;
/** `-e NAME=value` and `NAME=value`, as environments are written; the name may be told. */
const ASSIGNED = /\b([A-Z][A-Z0-9_]{2,})=("[^"]*"|'[^']*'|\S+)/g;

/**
 * Text of the service's own, fit for an event, a log line or an error. Errors may repeat what was sent and logs may repeat
 * an environment, so values of variables and anything that could be a key are taken out, known or not.
 */
export function clean(text: string, secrets: readonly string[] = [], maxLength = 300): string {
  const masked = redact(text, secrets, Number.MAX_SAFE_INTEGER)
    .replace(ASSIGNED, `$1=${REPLACEMENT}`)
    .replace(LONG_RUN, (run) => (/\d/.test(run) && /[A-Za-z]/.test(run) ? REPLACEMENT : run));
  return masked.length > maxLength ? `${masked.slice(0, maxLength - 1)}…` : masked;
}
