import { ProblemError } from '@davit/service-kit';
import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import { z } from 'zod';
import { Bodies } from './bodies.js';
import { type Conditions, type Body as Rendering, type Reply, answer } from './body.js';
import { FILE_FORMATS, type FileFormat } from './formats/index.js';
import { PresentTable } from './present-table.js';
import { settled } from './settled.js';
import type { RouteTable } from './table.js';

type Answer = Buffer | undefined;

/** Of a DiscoveryRequest only the names matter: the answer is always the present state. */
const discoveryRequest = z.object({ resource_names: z.array(z.string().max(300)).max(10_000).default([]) });

/** Cluster under which Envoy's bootstrap knows this service. */
const OWN_CLUSTER = 'davit';

/**
 * The routes as programs read them, rendered once for each table and not for each question. The door opens only when the read model holds the whole log, so that no answer is of a state
 * that was not restored; a list is empty only when nothing is routed.
 */
@Controller()
export class ExportsHttp {
  private readonly bodies = new Bodies();

  constructor(@Inject(PresentTable) private readonly table: PresentTable) {}

  @Get('v1/exports/http_sd')
  async prometheus(@Headers() head: Conditions, @Res({ passthrough: true }) reply: Reply): Promise<Answer> {
    return answer(this.bodies.httpSd(await this.present()), head, reply);
  }

  @Get('v1/exports/litellm')
  async liteLlm(@Headers() head: Conditions, @Res({ passthrough: true }) reply: Reply): Promise<Answer> {
    return answer(this.bodies.liteLlm(await this.present()), head, reply);
  }

  /** As the files are written: `haproxy`, `nginx`, `zone`, … */
  @Get('v1/exports/files/:format')
  async file(
    @Param('format') text: string,
    @Headers() head: Conditions,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<Answer> {
    const format = formatOf(text);
    return answer(this.bodies.file(await this.present(), format), head, reply);
  }

  /** Envoy over REST: `discovery:clusters` and `discovery:endpoints`. A colon in a path begins a parameter, so it is read here. */
  @Post('v3/:resources')
  @HttpCode(200)
  async discover(
    @Param('resources') resources: string,
    @Body() request: unknown,
    @Headers() { 'accept-encoding': encoding }: Conditions,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<Answer> {
    const names = namesIn(request);
    const make = this.discovery(resources);
    return answer(make(await this.present(), names), { 'accept-encoding': encoding }, reply);
  }

  private present(): Promise<RouteTable> {
    return settled(this.table.read());
  }

  private discovery(resources: string): (table: RouteTable, names: readonly string[]) => Rendering {
    switch (resources) {
      case 'discovery:clusters':
        return (table, names) => this.bodies.clusters(table, { apiCluster: OWN_CLUSTER }, names);
      case 'discovery:endpoints':
        return (table, names) => this.bodies.endpoints(table, names);
      default:
        throw new ProblemError(
          404,
          'not-found',
          'There is no such discovery',
          `"${resources.slice(0, 80)}" is not known`,
          [
            {
              path: 'resources',
              message: 'is not known',
              remedy: 'Ask for discovery:clusters or discovery:endpoints.',
            },
          ],
        );
    }
  }
}

function formatOf(text: string): FileFormat {
  const format = FILE_FORMATS.find((known) => known === text);
  if (format) return format;
  throw new ProblemError(
    404,
    'not-found',
    'There is no such format',
    `"${text.slice(0, 80)}" is not a format of routes`,
    [
      {
        path: 'format',
        message: `"${text.slice(0, 80)}" is not known`,
        remedy: `Ask for one of ${FILE_FORMATS.join(', ')}.`,
      },
    ],
  );
}

function namesIn(body: unknown): readonly string[] {
  const request = discoveryRequest.safeParse(body ?? {});
  if (request.success) return request.data.resource_names;
  throw new ProblemError(
    400,
    'invalid-request',
    'This is no DiscoveryRequest',
    'resource_names is not a list of names',
    [{ path: 'resource_names', message: 'is not a list of names', remedy: 'Send {} for everything.' }],
  );
}
