import { NAME_PATTERN, type Role, role as roles } from '@davit/contracts';
import { includesRole } from '@davit/domain';
import type { Principal } from '../asking/principal.js';
import type { AccessConfig } from './access-config.js';

export type ClaimRules = Pick<
  AccessConfig,
  | 'DAVIT_OIDC_NAME_CLAIM'
  | 'DAVIT_OIDC_ROLE_CLAIM'
  | 'DAVIT_OIDC_ROLES'
  | 'DAVIT_OIDC_TENANTS_CLAIM'
  | 'DAVIT_OIDC_TENANTS'
>;
type Claims = Readonly<Record<string, unknown>>;

/** Whom the claims of a token speak of. A token without a role or without a tenant may do nothing: undefined. */
export function principalOf(claims: Claims, rules: ClaimRules): Principal | undefined {
  const role = highest(meant(valuesAt(claims, rules.DAVIT_OIDC_ROLE_CLAIM), rules.DAVIT_OIDC_ROLES));
  const named = meant(valuesAt(claims, rules.DAVIT_OIDC_TENANTS_CLAIM), rules.DAVIT_OIDC_TENANTS);
  const everyTenant = named.includes('*');
  const tenants = [...new Set(named)].filter((tenant) => NAME_PATTERN.test(tenant) && tenant.length <= 40);
  if (role === undefined || (!everyTenant && tenants.length === 0)) return undefined;
  const [name] = valuesAt(claims, rules.DAVIT_OIDC_NAME_CLAIM);
  const subject = typeof claims['sub'] === 'string' ? claims['sub'] : 'somebody';
  return { actor: (name ?? subject).slice(0, 150), role, tenants: everyTenant ? 'all' : tenants };
}

/** Texts of a claim, which is one or a list of them. A name with dots is a claim of that name, or leads into objects. */
function valuesAt(claims: Claims, name: string): readonly string[] {
  const found = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce<unknown>(memberOf, claims);
  return [found].flat().filter((value): value is string => typeof value === 'string');
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Claims)[name] // an object, as was just seen
    : undefined;

const meant = (values: readonly string[], meanings: ReadonlyMap<string, string> | undefined): readonly string[] =>
  meanings ? values.flatMap((value) => meanings.get(value) ?? []) : values;

function highest(names: readonly string[]): Role | undefined {
  const known = names.flatMap((name) => roles.safeParse(name).data ?? []);
  return known.reduce<Role | undefined>((best, one) => (best && includesRole(best, one) ? best : one), undefined);
}
