import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { LONGEST_PATH_PART } from '@davit/service-kit';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { INDEX_TEXT } from './index-document.js';

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
  if (INTERFACE.test(pathname) || !isBrowser(request)) {
    if (pathname.split('/').some((part) => part.length > LONGEST_PATH_PART)) throw new TooLongAddressError();
    reply.callNotFound();
    return reply;
  }
  void reply.headers({ 'cache-control': 'no-cache', vary: 'accept' });
  return reply.sendFile('index.html', directory, { cacheControl: false });
}

/** Browsers ask for a page by its type; what asks for anything, as curl does, wants something to read on a terminal. */
const isBrowser = ({ headers: { accept = '' } }: FastifyRequest): boolean => accept.includes('text/html');

/** Tells whoever is no browser where everything is; without `directory` there is no page, and all are told. */
export function serveIndex(http: FastifyInstance, directory?: string): void {
  http.get('/', (request, reply) => {
    if (directory !== undefined && isBrowser(request)) return sendPage(request, reply, directory);
    return reply
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache', vary: 'accept' })
      .send(INDEX_TEXT);
  });
}

/** Told as Fastify tells it where no page catches what no route takes. */
class TooLongAddressError extends Error {
  readonly statusCode = 414;
}

/** Opens the page with the service, where it was built, and the index in any case. */
@Injectable()
export class Page implements OnModuleInit {
  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const http = this.host.httpAdapter.getInstance<FastifyInstance>();
    const isBuilt = existsSync(path.join(PAGE_DIR, 'index.html'));
    if (isBuilt) servePage(http, PAGE_DIR);
    serveIndex(http, isBuilt ? PAGE_DIR : undefined);
  }
}
