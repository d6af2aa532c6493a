import { includesTenants } from '@davit/domain';
import { ProblemError } from '@davit/service-kit';
import type { Principal } from '../asking/principal.js';

/** It is not known who asks. */
export const unauthenticated = (detail: string): ProblemError =>
  new ProblemError(401, 'unauthenticated', 'It is not known who asks', detail);

/** It is known who asks, and they may not. */
export const forbidden = (detail: string): ProblemError =>
  new ProblemError(403, 'forbidden', 'Whoever asks may not do this', detail);

/**
 * What somebody names must be theirs. The answer is the same whether it exists or not.
 * @throws ProblemError 403
 */
export function mustBeTheirs(principal: Pick<Principal, 'tenants'>, tenant: string): void {
  if (includesTenants(principal, [tenant])) return;
  const theirs = principal.tenants === 'all' ? '' : `; yours are: ${principal.tenants.join(', ')}`;
  throw forbidden(
    `Tenant ${JSON.stringify(tenant.slice(0, 40))} is none of those that you may see and change${theirs}.`,
  );
}
