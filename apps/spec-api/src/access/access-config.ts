import { role } from '@davit/contracts';
import { durationVariable, wholeNumber } from '@davit/service-kit';
import { z } from 'zod';

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/;
const ISSUER = 'Set an https address, for example "https://login.example.com/realms/platform".';

/** An address that tokens or keys are trusted from: nobody on the way may change what it says. */
const trusted = () => z.string({ error: ISSUER }).refine(isTrusted, { error: `is not usable. ${ISSUER}` });

function isTrusted(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** `value=meaning,…`: what the values of a claim mean here. */
const meanings = (example: string, isMeaning: (text: string) => boolean) => {
  const error = `is not usable. Set pairs of a claim's value and what it means, for example "${example}".`;
  return z.string({ error }).transform((text, context): ReadonlyMap<string, string> => {
    const pairs = text.split(',').map((pair) => pair.trim().split('='));
    const isRight = pairs.every(
      ([value = '', meaning = '', ...rest]) => value !== '' && rest.length === 0 && isMeaning(meaning),
    );
    if (!isRight) context.addIssue({ code: 'custom', message: error });
    return new Map(pairs.map(([value = '', meaning = '']) => [value, meaning]));
  });
};

const isRole = (text: string): boolean => role.safeParse(text).success;
const isTenant = (text: string): boolean => text === '*' || /^[a-z][a-z0-9-]{0,39}$/.test(text);

/** Who is let in, and how they say who they are. */
export const accessVariables = {
  /**
   * Whether callers have to say who they are. `required` as soon as a way to do so is set; without one, `open` where only this machine
   * can reach the port. `open` lets everybody do everything.
   */
  DAVIT_ACCESS: z.enum(['required', 'open']).optional(),
  /** File with a key that may do everything: the one to make the first keys with. */
  DAVIT_ADMIN_KEY_FILE: z.string().optional(),
  /** Requests of one key or token a minute, counted by each instance. */
  DAVIT_RATE_LIMIT: wholeNumber(1, 1_000_000).default(6_000),
  /** Who issues the tokens that are taken; what tokens say has to match it to the letter. */
  DAVIT_OIDC_ISSUER: trusted().optional(),
  /** Whom tokens have to be meant for. Needed with an issuer. */
  DAVIT_OIDC_AUDIENCE: z.string().optional(),
  /** Where the issuer's keys are; without it, where its openid-configuration says. */
  DAVIT_OIDC_JWKS_URI: trusted().optional(),
  /** Claim that names whoever asks, in events and logs; `sub` where a token has it not. */
  DAVIT_OIDC_NAME_CLAIM: z.string().default('email'),
  /** Claim with the role, or with a list of values that DAVIT_OIDC_ROLES gives a meaning; dots lead into objects. */
  DAVIT_OIDC_ROLE_CLAIM: z.string().default('davit_role'),
  /** What values of that claim mean; without it they are viewer, operator and admin themselves. The highest role counts. */
  DAVIT_OIDC_ROLES: meanings('sre=operator,platform=admin', isRole).optional(),
  /** Claim with the tenant, or a list of them. */
  DAVIT_OIDC_TENANTS_CLAIM: z.string().default('davit_tenants'),
  /** What values of that claim mean: a tenant each, or `*` for all. Without it they are tenants themselves. */
  DAVIT_OIDC_TENANTS: meanings('search-team=search,platform=*', isTenant).optional(),
  /** How far the issuer's clock may be from this one. */
  DAVIT_OIDC_CLOCK_SKEW: durationVariable(1, 300_000).default(30_000),
  /** Between two looks for keys of the issuer that are not known yet. */
  DAVIT_OIDC_KEY_COOLDOWN: durationVariable(1, 600_000).default(10_000),
};
export type AccessConfig = z.output<z.ZodObject<typeof accessVariables>>;
