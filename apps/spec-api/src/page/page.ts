import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { LONGEST_PATH_PART } from '@davit/service-kit';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Where the page is built to, beside this package. */
export const PAGE_DIR = path.resolve(import.meta.dirname, '..', '..', '..', 'dashboard', 'dist', 'page');

/** Paths of the interface: what is unknown below them is told as a problem, to a browser too. */
const INTERFACE = /^\/(?:v1|schemas|assets|livez|readyz|metrics)(?:\/|$)|\.json$/;

/** Serves the page to browsers, at every path that is not the interface's: the page itself knows its own. */
export function servePage(http: FastifyInstance, directory: string): void {
  void http.register(fastifyStatic, {
    root: path.join(directory, 'assets'),
    prefix: '/assets/',
    // Their names hold a digest of their content.
    immutable: true,
    maxAge: '1y',
    index: false,
  });
  http.get('/*', (request, reply) => sendPage(request, reply, directory));
}

function sendPage(request: FastifyRequest, reply: FastifyReply, directory: string): FastifyReply {
  const [pathname = ''] = request.url.split('?');
  const { accept = '' } = request.headers;
  if (INTERFACE.test(pathname) || !accept.includes('text/html')) {
    if (pathname.split('/').some((part) => part.length > LONGEST_PATH_PART)) throw new TooLongAddressError();
    reply.callNotFound();
    return reply;
  }
  void reply.headers({ 'cache-control': 'no-cache', vary: 'accept' });
  return reply.sendFile('index.html', directory, { cacheControl: false });
}

/** Told as Fastify tells it where no page catches what no route takes. */
class TooLongAddressError extends Error {
  readonly statusCode = 414;
}

/** Opens the page with the service, where it was built. */
@Injectable()
export class Page implements OnModuleInit {
  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    if (!existsSync(path.join(PAGE_DIR, 'index.html'))) return;
    servePage(this.host.httpAdapter.getInstance<FastifyInstance>(), PAGE_DIR);
  }
}
