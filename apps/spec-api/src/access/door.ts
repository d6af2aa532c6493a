import { OPERATIONS, type OperationDefinition } from '@davit/contracts';
import { includesRole } from '@davit/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../asking/principal.js';
import { routeOf } from '../operations/serves.js';
import type { AccessMode } from './access-mode.js';
import type { Authenticator } from './authenticator.js';
import { forbidden } from './problems.js';
import type { RateLimits } from './rate-limits.js';

export interface DoorParts {
  readonly mode: AccessMode;
  readonly authenticator: Pick<Authenticator, 'principalOf'>;
  readonly limits: Pick<RateLimits, 'count'>;
}

/** What the door lets through: a request that says who asks. */
export type AdmittedRequest = FastifyRequest & { principal?: Principal };

const BY_ROUTE: ReadonlyMap<string, OperationDefinition> = new Map(
  OPERATIONS.map((operation) => [`${operation.method} /${routeOf(operation)}`, operation]),
);
/** Everything below that no operation of the contract stands for shows the inside: it is for those who may do everything. */
const INSIDE = /^\/(?:v1|audit)\//;
const OWN_NAME = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d+)?$/i;

/** Stands before every handler, and before the body is read: who asks, how often, and whether they may. */
export class Door {
  constructor(private readonly parts: DoorParts) {}

  /** @throws ProblemError 401, 403, 429 or 503 */
  async admit(request: AdmittedRequest, reply: FastifyReply): Promise<void> {
    const { url: route } = request.routeOptions;
    const operation = BY_ROUTE.get(`${request.method === 'HEAD' ? 'GET' : request.method} ${route}`);
    if (route === undefined || (!operation && !INSIDE.test(route))) return;
    this.mustCallUsByOurName(request);
    const principal = await this.authenticated(request, reply);
    request.principal = principal;
    mayDo(principal, operation, route);
  }

  /**
   * Where nobody is asked who they are, a page of a stranger that a browser on this machine shows must not get in under a name of its
   * own that leads here.
   */
  private mustCallUsByOurName({ headers: { host, authorization } }: FastifyRequest): void {
    if (this.parts.mode !== 'local' || authorization !== undefined || OWN_NAME.test(host ?? '')) return;
    throw forbidden('Without a key this is for callers on this machine alone: write 127.0.0.1 or localhost.');
  }

  private async authenticated(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const { authenticator, limits } = this.parts;
    const { authorization } = request.headers;
    try {
      const principal = await authenticator.principalOf(authorization);
      if (authorization !== undefined) await limits.count(principal.actor, reply);
      return principal;
    } catch (error) {
      // RFC 6750, section 3.
      void reply.header(
        'www-authenticate',
        authorization === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`,
      );
      throw error;
    }
  }
}

const CHALLENGE = 'Bearer realm="davit"';

function mayDo(principal: Principal, operation: OperationDefinition | undefined, route: string): void {
  const { role = 'admin', everyTenant = operation === undefined } = operation ?? {};
  if (!includesRole(principal.role, role)) {
    throw forbidden(`${operation?.id ?? route} needs the role ${role}, and yours is ${principal.role}.`);
  }
  if (everyTenant && principal.tenants !== 'all') {
    throw forbidden(`${operation?.id ?? route} is about the whole fleet: it needs a key or token for all tenants.`);
  }
}
