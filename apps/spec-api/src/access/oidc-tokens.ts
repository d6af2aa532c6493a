import type { Logger } from '@davit/ports';
import { ProblemError } from '@davit/service-kit';
import { type JWTVerifyGetKey, createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Principal } from '../asking/principal.js';
import type { AccessConfig } from './access-config.js';
import { principalOf } from './claims.js';
import { forbidden, unauthenticated } from './problems.js';

/** Signatures by a key that only the issuer has; `none`, and secrets that both sides know, are never taken. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const TIMEOUT_MS = 5_000;
const discovered = z.object({ issuer: z.string(), jwks_uri: z.url() });

export type OidcSettings = AccessConfig & { readonly DAVIT_OIDC_ISSUER: string; readonly DAVIT_OIDC_AUDIENCE: string };

/**
 * Tokens of an OpenID Connect issuer. Its keys are fetched when the first token comes, kept, and fetched again for a token that is
 * signed with one that is not known yet.
 */
export class OidcTokens {
  private keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(
    private readonly settings: OidcSettings,
    private readonly logger: Logger,
  ) {}

  /**
   * Whom a token speaks of.
   * @throws ProblemError 401 for a token that is not valid here, 403 for one that gives no role, 503 while the issuer's keys cannot be had
   */
  async open(token: string): Promise<Principal> {
    const claims = await this.verified(token);
    const principal = principalOf(claims, this.settings);
    if (principal) return principal;
    const { DAVIT_OIDC_ROLE_CLAIM: role, DAVIT_OIDC_TENANTS_CLAIM: tenants } = this.settings;
    throw forbidden(`The token gives no role or no tenant here: its claims ${role} and ${tenants} say so.`);
  }

  private async verified(token: string): Promise<Readonly<Record<string, unknown>>> {
    const { DAVIT_OIDC_ISSUER: issuer, DAVIT_OIDC_AUDIENCE: audience, DAVIT_OIDC_CLOCK_SKEW: skewMs } = this.settings;
    try {
      const { payload } = await jwtVerify(token, await this.issuersKeys(), {
        ...{ issuer, audience, algorithms: ALGORITHMS, clockTolerance: skewMs / 1_000 },
        requiredClaims: ['exp', 'sub'],
      });
      return payload;
    } catch (error) {
      throw asProblem(error) ?? this.unavailable(error);
    }
  }

  private unavailable(error: unknown): ProblemError {
    this.logger.warn({ err: error }, 'the keys of the issuer of tokens cannot be had');
    const detail = 'The keys of the issuer of tokens cannot be had now. Try again, or use an API key.';
    return new ProblemError(503, 'identity-provider-unavailable', 'Tokens cannot be checked', detail);
  }

  /** A failed look is forgotten, so that the next token looks again. */
  private issuersKeys(): Promise<JWTVerifyGetKey> {
    this.keys ??= this.find().catch((error: unknown) => {
      this.keys = undefined;
      throw error;
    });
    return this.keys;
  }

  private async find(): Promise<JWTVerifyGetKey> {
    const { DAVIT_OIDC_JWKS_URI: known, DAVIT_OIDC_KEY_COOLDOWN: cooldownDuration } = this.settings;
    const address = known ?? (await discover(this.settings.DAVIT_OIDC_ISSUER));
    return createRemoteJWKSet(new URL(address), { cooldownDuration, timeoutDuration: TIMEOUT_MS });
  }
}

async function discover(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (!response.ok) throw new Error(`openid-configuration was answered with ${response.status}`);
  const { issuer: named, jwks_uri: keys } = discovered.parse(await response.json());
  if (named !== issuer) throw new Error('openid-configuration is of another issuer');
  return keys;
}

/** What is wrong with a token may be told; what would be right is told to nobody. Undefined where the token is not at fault. */
function asProblem(error: unknown): ProblemError | undefined {
  if (error instanceof errors.JWTExpired) return unauthenticated('The token has expired; get another one.');
  if (error instanceof errors.JWTClaimValidationFailed)
    return unauthenticated(`The token is not for this service: its claim ${error.claim} does not fit.`);
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return unauthenticated('The token is not signed in a way that is taken here.');
  if (isStrangersSignature(error)) return unauthenticated('The token is not signed by a key of the issuer.');
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid)
    return unauthenticated('The token cannot be read.');
  return undefined;
}

const isStrangersSignature = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JWSSignatureVerificationFailed;
