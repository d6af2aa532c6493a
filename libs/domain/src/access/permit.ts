import { ROLES, type Role } from '@davit/contracts';

/** What somebody may do, and to whose things. */
export interface Permit {
  readonly role: Role;
  readonly tenants: 'all' | readonly string[];
}

/** True where the first role may do everything that the second may. */
export const includesRole = (role: Role, wanted: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(wanted);

/** True where every one of the wanted tenants is among those that are permitted. */
export const includesTenants = ({ tenants }: Pick<Permit, 'tenants'>, wanted: Permit['tenants']): boolean =>
  tenants === 'all' || (wanted !== 'all' && wanted.every((tenant) => tenants.includes(tenant)));

/** Nobody hands out more than they have. */
export const includes = (permit: Permit, wanted: Permit): boolean =>
  includesRole(permit.role, wanted.role) && includesTenants(permit, wanted.tenants);
