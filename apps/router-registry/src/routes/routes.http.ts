import { type RouteView, tenantName } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { PresentTable } from '../exports/present-table.js';
import { settled } from '../exports/settled.js';

/** Present routes for whoever asks, without what is withheld; subscribers of the event stream hear of changes by themselves. */
@Controller('v1/routes')
export class RoutesHttp {
  constructor(@Inject(PresentTable) private readonly table: PresentTable) {}

  @Get()
  async list(@Query('tenant') tenant?: unknown): Promise<{ readonly routes: readonly RouteView[] }> {
    const wanted = tenantName.optional().safeParse(tenant);
    if (!wanted.success) {
      throw new ProblemError(400, 'invalid-query', 'The query is not valid', '"tenant" is not the name of a tenant', [
        { path: 'tenant', message: 'is not a tenant name', remedy: 'Write lower-case letters, digits and hyphens.' },
      ]);
    }
    const routes = await settled(this.table.snapshots());
    return { routes: routes.filter((one) => wanted.data === undefined || one.tenant === wanted.data) };
  }

  /** Model names with a slash are one part of the path: `Qwen/Qwen3-8B` is asked for as `Qwen%2FQwen3-8B`. */
  @Get(':tenant/:model')
  async one(@Param('tenant') tenant: string, @Param('model') model: string): Promise<RouteView> {
    const alias = `${tenant}/${model}`;
    const snapshot = await settled(this.table.snapshot(alias));
    if (snapshot) return snapshot;
    throw new ProblemError(404, 'not-found', 'There is no such route', `no route was ever published for "${alias}"`);
  }

  /** The same name with its slashes as they are: it is told how to ask. */
  @Get(':tenant/:model/*')
  plainSlash(@Param('tenant') tenant: string, @Param('model') model: string, @Param('*') rest: string): never {
    const name = `${model}/${rest}`.slice(0, 200);
    const path = `/v1/routes/${encodeURIComponent(tenant)}/${encodeURIComponent(name)}`;
    throw new ProblemError(
      400,
      'invalid-path',
      'The path has too many parts',
      `"${name}" is written with plain slashes`,
      [{ path: 'model', message: 'has slashes that are not percent-encoded', remedy: `Ask for ${path}.` }],
    );
  }
}
