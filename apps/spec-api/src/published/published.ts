import { type PublishedName, PUBLISHED_NAMES, publishedFile } from '@davit/contracts/published';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

/** `/openapi.json`, `/asyncapi.json`, `/schemas/events.schema.json`, … */
export const publishedPath = (name: PublishedName): string =>
  name.endsWith('.schema.json') ? `/schemas/${name}` : `/${name}`;

const mediaType = (name: PublishedName): string =>
  name.endsWith('.schema.json') ? 'application/schema+json' : 'application/json; charset=utf-8';

/** Serves the published contract to anybody: it holds nothing of what runs here. Each file is written when first asked for. */
@Injectable()
export class Published implements OnModuleInit {
  private readonly texts = new Map<PublishedName, string>();

  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const http = this.host.httpAdapter.getInstance<FastifyInstance>();
    for (const name of PUBLISHED_NAMES) {
      http.get(publishedPath(name), (_request, reply) =>
        reply.headers({ 'content-type': mediaType(name), 'cache-control': 'public, no-cache' }).send(this.textOf(name)),
      );
    }
  }

  private textOf(name: PublishedName): string {
    const text = this.texts.get(name) ?? publishedFile(name);
    this.texts.set(name, text);
    return text;
  }
}
