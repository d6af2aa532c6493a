import helmet from '@fastify/helmet';
import { type CommonConfig, Metrics, type ServicePorts, tokens } from '@davit/service-kit';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { SpecApiConfig } from '../spec-api-config.js';
import { REFUSED } from '../telemetry/definitions.js';
import { accessModeOf, adminKeyHash } from './access-mode.js';
import { Authenticator } from './authenticator.js';
import { Door, type AdmittedRequest } from './door.js';
import { KeyRing } from './key-ring.js';
import { OidcTokens } from './oidc-tokens.js';
import { RateLimits } from './rate-limits.js';
import { SECURITY_HEADERS } from './security-headers.js';

type Config = CommonConfig & SpecApiConfig;

const REFUSALS: Readonly<Record<number, 'unauthenticated' | 'forbidden' | 'too-many-requests'>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  429: 'too-many-requests',
};
const SERVICE = 'spec-api';

/** Who is let in: keys and tokens, roles and tenants, limits, and what answers say to browsers. */
@Module({
  providers: [
    {
      provide: KeyRing,
      inject: [tokens.SERVICE_PORTS],
      useFactory: (ports: ServicePorts) => new KeyRing(ports, SERVICE),
    },
    {
      provide: Door,
      inject: [KeyRing, tokens.CONFIG, tokens.SERVICE_PORTS],
      useFactory: (keys: KeyRing, config: Config, { logger }: ServicePorts) => {
        const mode = accessModeOf(config);
        const adminKey = adminKeyHash(config);
        const tokensOfIssuer = oidcTokensOf(config, logger);
        const authenticator = new Authenticator({ mode, adminKeyHash: adminKey, keys, tokens: tokensOfIssuer });
        return new Door({ mode, authenticator, limits: new RateLimits(config.DAVIT_RATE_LIMIT) });
      },
    },
  ],
  exports: [KeyRing],
})
export class AccessModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost<FastifyAdapter>,
    @Inject(Door) private readonly door: Door,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(tokens.LOGGER) private readonly logger: ServicePorts['logger'],
  ) {}

  onModuleInit(): void {
    const http = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Waiting for it would close the application for the error handler that comes later.
    void http.register(helmet, SECURITY_HEADERS);
    http.addHook('onRequest', (request, reply) => this.door.admit(request, reply));
    this.tellRefusals(http);
  }

  /** Who was refused what is counted and told; nothing of a key or a token is. */
  private tellRefusals(http: FastifyInstance): void {
    const refused = this.metrics.counter(REFUSED);
    http.addHook('onResponse', (request: AdmittedRequest, reply, done) => {
      const reason = REFUSALS[reply.statusCode];
      if (reason !== undefined) {
        refused.inc({ reason });
        const { method, ip, principal, routeOptions } = request;
        const about = { reason, method, route: routeOptions.url, from: ip, actor: principal?.actor ?? null };
        this.logger.warn(about, 'access refused');
      }
      done();
    });
  }
}

function oidcTokensOf(config: Config, logger: ServicePorts['logger']): OidcTokens | undefined {
  const { DAVIT_OIDC_ISSUER, DAVIT_OIDC_AUDIENCE } = config;
  if (DAVIT_OIDC_ISSUER === undefined || DAVIT_OIDC_AUDIENCE === undefined) return undefined;
  return new OidcTokens({ ...config, DAVIT_OIDC_ISSUER, DAVIT_OIDC_AUDIENCE }, logger);
}
