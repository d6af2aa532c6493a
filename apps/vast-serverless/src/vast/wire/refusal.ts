import type { ErrorClass } from '@davit/contracts';

/** Why the service did not do it, as far as its answer tells. */
export type RefusalCause =
  /** The key is not known, or none arrived. */
  | 'credential'
  /** The key is known and lacks a group of permissions. */
  | 'permission'
  | 'two-factor'
  | 'credit'
  | 'invalid'
  | 'not-found'
  /** An offer that somebody else took. */
  | 'gone'
  /** 200, and `success: false`. */
  | 'declined';

export interface JudgedRefusal {
  readonly class: ErrorClass;
  readonly cause: RefusalCause;
  readonly permission: string | null;
}

const LACKS = /lacks the [`'"]?<?([a-z_]+)>?[`'"]? permission/i;
const CREDIT = /insufficient_credit|insufficient credit|credit|spend[ -]?rate|deposit|balance/i;
const UNKNOWN_KEY = /invalid user key|requires login|invalid api[ _]key/i;

const refusal = (errorClass: ErrorClass, cause: RefusalCause, permission: string | null = null): JudgedRefusal => ({
  class: errorClass,
  cause,
  permission,
});

/**
 * What an answer of 4xx means: the same trouble comes with different states on different routes, so text and state are
 * read together. Undefined for what does not say whether anything happened.
 */
export function judgeRefusal(status: number, error: string | undefined, text: string): JudgedRefusal | undefined {
  switch (status) {
    case 400:
    case 405:
    case 422:
      return refusal('config', 'invalid');
    case 401:
    case 403:
      return access(status, `${error ?? ''} ${text}`);
    case 402:
      return refusal('quota', 'credit');
    case 404:
      // An unknown key answers 404 on some routes.
      return error === 'auth_error' || UNKNOWN_KEY.test(text)
        ? refusal('auth', 'credential')
        : refusal('not-found', 'not-found');
    case 410:
      return refusal('capacity', 'gone');
    default:
      return undefined;
  }
}

function access(status: 401 | 403, words: string): JudgedRefusal {
  const group = LACKS.exec(words)?.[1]?.toLowerCase();
  if (group !== undefined) return refusal('auth', 'permission', group);
  if (/two[ -]factor/i.test(words)) return refusal('auth', 'two-factor');
  if (UNKNOWN_KEY.test(words) || status === 401) return refusal('auth', 'credential');
  return CREDIT.test(words) ? refusal('quota', 'credit') : refusal('auth', 'permission');
}
