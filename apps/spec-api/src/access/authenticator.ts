import { type ProblemError, bearerIn, hashOf, isSameHash } from '@davit/service-kit';
import { LOCAL_PRINCIPAL, type Principal } from '../asking/principal.js';
import type { AccessMode } from './access-mode.js';
import type { KeyRing } from './key-ring.js';
import type { OidcTokens } from './oidc-tokens.js';
import { unauthenticated } from './problems.js';

export interface AuthenticatorParts {
  readonly mode: AccessMode;
  readonly adminKeyHash: string | undefined;
  readonly keys: Pick<KeyRing, 'open'>;
  readonly tokens: Pick<OidcTokens, 'open'> | undefined;
}

/** Whoever holds the key of DAVIT_ADMIN_KEY_FILE. */
const BOOTSTRAP: Principal = { actor: 'bootstrap admin key', role: 'admin', tenants: 'all' };
/** Header, claims and signature, in base64url. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Finds out who asks. A key or token that is sent has to be right, also where nobody has to send one. */
export class Authenticator {
  constructor(private readonly parts: AuthenticatorParts) {}

  /**
   * @param authorization the header
   * @throws ProblemError 401 or 503
   */
  async principalOf(authorization: string | undefined): Promise<Principal> {
    if (authorization === undefined) {
      if (this.parts.mode !== 'required') return LOCAL_PRINCIPAL;
      throw unauthenticated('Send an API key or a token in the header Authorization, after the word Bearer.');
    }
    const credential = bearerIn(authorization);
    if (credential === undefined) {
      throw unauthenticated('The header Authorization is not the word Bearer, a space, and an API key or a token.');
    }
    return this.opened(credential);
  }

  private async opened(credential: string): Promise<Principal> {
    const { adminKeyHash, keys, tokens } = this.parts;
    if (adminKeyHash !== undefined && isSameHash(hashOf(credential), adminKeyHash)) return BOOTSTRAP;
    if (TOKEN.test(credential)) {
      if (!tokens) throw unauthenticated('Tokens are not taken here; send an API key.');
      return tokens.open(credential);
    }
    const principal = await keys.open(credential);
    if (principal) return principal;
    throw wrongKey();
  }
}

/** The same for a key that never was, one that expired and one that was revoked. */
const wrongKey = (): ProblemError => unauthenticated('The API key opens nothing: it is unknown, expired or revoked.');
