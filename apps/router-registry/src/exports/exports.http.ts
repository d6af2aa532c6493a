import type { ReadModel } from '@davit/projection';
import { ProblemError, tokens } from '@davit/service-kit';
import { Body, Controller, Get, Header, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { type DiscoveryResponse, clusterDiscovery, endpointDiscovery } from './formats/envoy.js';
import { type HttpSdGroup, httpSd } from './formats/http-sd.js';
import { FILE_FORMATS, type FileFormat, render } from './formats/index.js';
import { type LiteLlmModel, liteLlm } from './formats/litellm.js';
import { type RouteTable, readTable } from './table.js';

/** Of a DiscoveryRequest only the names matter: the answer is always the present state. */
const discoveryRequest = z.object({ resource_names: z.array(z.string().max(300)).max(10_000).default([]) });

/** Cluster under which Envoy's bootstrap knows this service. */
const OWN_CLUSTER = 'davit';

/**
 * The routes as programs read them. The door opens only when the read model holds the whole log, so that no answer is of a state
 * that was not restored; a list is empty only when nothing is routed.
 */
@Controller()
export class ExportsHttp {
  constructor(@Inject(tokens.READ_MODEL) private readonly model: ReadModel) {}

  @Get('v1/exports/http_sd')
  async prometheus(): Promise<readonly HttpSdGroup[]> {
    return httpSd(await this.table());
  }

  @Get('v1/exports/litellm')
  async liteLlm(): Promise<{ readonly model_list: readonly LiteLlmModel[] }> {
    return liteLlm(await this.table());
  }

  /** As the files are written: `haproxy`, `nginx`, `zone`, … */
  @Get('v1/exports/files/:format')
  @Header('content-type', 'text/plain; charset=utf-8')
  async file(@Param('format') format: string): Promise<string> {
    return render(formatOf(format), await this.table());
  }

  /** Envoy over REST: `discovery:clusters` and `discovery:endpoints`. A colon in a path begins a parameter, so it is read here. */
  @Post('v3/:resources')
  @HttpCode(200)
  async discover(@Param('resources') resources: string, @Body() body: unknown): Promise<DiscoveryResponse> {
    const names = namesIn(body);
    switch (resources) {
      case 'discovery:clusters':
        return clusterDiscovery(await this.table(), { apiCluster: OWN_CLUSTER }, names);
      case 'discovery:endpoints':
        return endpointDiscovery(await this.table(), names);
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

  private table(): Promise<RouteTable> {
    return readTable(this.model);
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
