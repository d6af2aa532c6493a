const REPLACEMENT = '[redacted]';

/** Escape sequences of terminals, colours among them. */
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

export const stripAnsi = (text: string): string => text.replace(ANSI, '');

/** Things that look like credentials whatever their value: tokens by prefix, bearer headers, passwords in addresses. */
const CREDENTIALS: readonly [RegExp, string][] = [
  [/\b(?:sky|hf|ghp|gho|sk|rpa)[_-][A-Za-z0-9_-]{8,}/g, REPLACEMENT],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REPLACEMENT}`],
  [/(\w+:\/\/)[^\s/@:]*:[^\s/@]*@/g, `$1${REPLACEMENT}@`],
  [
    /\b(\w*(?:password|passwd|secret|token|api[_-]?key)\w*["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s,;}]+)/gi,
    `$1${REPLACEMENT}`,
  ],
];

/**
 * Text from outside, fit for an event, a log line or an error: no escape sequences, no known secret value, nothing that
 * looks like a credential, and not longer than `maxLength`.
 */
export function redact(text: string, secrets: readonly string[] = [], maxLength = 500): string {
  let clean = stripAnsi(text).replace(CONTROL, ' ');
  // Longest first: a secret may contain another.
  for (const secret of secrets.filter((value) => value.length > 0).toSorted((a, b) => b.length - a.length)) {
    clean = clean.replaceAll(secret, REPLACEMENT);
  }
  for (const [pattern, replacement] of CREDENTIALS) clean = clean.replace(pattern, replacement);
  clean = clean.replace(/\s+/g, ' ').trim();
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
}
