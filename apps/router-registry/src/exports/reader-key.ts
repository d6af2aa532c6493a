import { ProblemError, bearerIn, hashOf, isSameHash, keyFileHash, tokens } from '@davit/service-kit';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { z } from 'zod';
import type { routerRegistryConfig } from '../config.js';

/** The parts of a Fastify request and reply that are used here. */
interface Request {
  readonly routeOptions: { readonly url?: string };
  readonly headers: { readonly authorization?: string };
}
interface Reply {
  header(name: string, value: string): unknown;
}
interface Http {
  addHook(name: 'onRequest', hook: (request: Request, reply: Reply, done: (error?: Error) => void) => void): unknown;
}

/** What supervisors and monitoring ask. */
const HEALTH: readonly (string | undefined)[] = ['/livez', '/readyz', '/metrics'];

/**
 * Who may read the routes. Gateways of every tenant read all of them, and some cannot send a key: without one in the settings the
 * network decides who reaches this port. With one, every question but those for health needs it.
 */
@Injectable()
export class ReaderKey implements OnModuleInit {
  private readonly hash: string | undefined;

  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost<FastifyAdapter>,
    @Inject(tokens.CONFIG) config: z.output<typeof routerRegistryConfig>,
  ) {
    this.hash = keyFileHash('DAVIT_READER_KEY_FILE', config.DAVIT_READER_KEY_FILE);
  }

  onModuleInit(): void {
    const { hash } = this;
    if (hash === undefined) return;
    this.host.httpAdapter.getInstance<Http>().addHook('onRequest', (request, reply, done) => {
      const sent = bearerIn(request.headers.authorization);
      if (HEALTH.includes(request.routeOptions.url) || (sent !== undefined && isSameHash(hashOf(sent), hash))) {
        done();
        return;
      }
      reply.header('www-authenticate', 'Bearer realm="davit"');
      const detail = 'Send the key of DAVIT_READER_KEY_FILE in the header Authorization, after the word Bearer.';
      done(new ProblemError(401, 'unauthenticated', 'It is not known who asks', detail));
    });
  }
}
