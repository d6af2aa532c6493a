import { systemClock } from '@davit/ports';
import type { ProjectionRunner, ReadModel } from '@davit/projection';
import { ServiceModule, tokens } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { routeCacheController } from './cache/controller.js';
import { RouteCache } from './cache/route-cache.js';
import { routerRegistryConfig } from './config.js';
import { ExportsHttp } from './exports/exports.http.js';
import { routeFilesController } from './exports/files.js';
import { PresentTable } from './exports/present-table.js';
import { ReaderKey } from './exports/reader-key.js';
import { ShownRoutes } from './exports/shown-routes.js';
import { routerRegistryControllers } from './index.js';
import { RoutesHttp } from './routes/routes.http.js';
import { routeModelMetrics } from './telemetry/definitions.js';

@Module({
  imports: [
    ServiceModule.register({
      name: 'router-registry',
      config: routerRegistryConfig,
      modelMetrics: routeModelMetrics,
      controllers({ ports: { bus, clock, commands, logger }, config }) {
        const routes = new ShownRoutes(clock);
        const files = config.DAVIT_ROUTE_FILES ?? [];
        const reload = config.DAVIT_ROUTE_RELOAD ?? null;
        return [
          ...routerRegistryControllers(),
          routeCacheController(new RouteCache(bus), routes),
          routeFilesController({ files, reload, routes, commands, logger }),
        ];
      },
    }),
  ],
  controllers: [RoutesHttp, ExportsHttp],
  providers: [
    ReaderKey,
    {
      provide: PresentTable,
      inject: [tokens.READ_MODEL, tokens.PROJECTION],
      useFactory: (model: ReadModel, projection: ProjectionRunner) => new PresentTable(model, projection, systemClock),
    },
  ],
})
export class AppModule {}
