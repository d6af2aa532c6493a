import { ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { z } from 'zod';
import { routeCacheController } from './cache/controller.js';
import { RouteCache } from './cache/route-cache.js';
import { routerRegistryControllers } from './index.js';
import { RoutesHttp } from './routes/routes.http.js';

@Module({
  imports: [
    ServiceModule.register({
      name: 'router-registry',
      config: z.object({}),
      controllers: ({ ports }) => [...routerRegistryControllers(), routeCacheController(new RouteCache(ports.bus))],
    }),
  ],
  controllers: [RoutesHttp],
})
export class AppModule {}
