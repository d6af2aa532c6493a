import type { Role } from '@davit/contracts';

/** Who asks. */
export interface Principal {
  /** As it is written into events: for example `ci@search`. */
  readonly actor: string;
  readonly role: Role;
  readonly tenants: 'all' | readonly string[];
}

/** Whoever asks where nobody has to say who they are. */
export const LOCAL_PRINCIPAL: Principal = { actor: 'local', role: 'admin', tenants: 'all' };

export const maySee = ({ tenants }: Pick<Principal, 'tenants'>, tenant: string): boolean =>
  tenants === 'all' || tenants.includes(tenant);
