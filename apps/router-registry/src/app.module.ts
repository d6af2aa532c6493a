import { ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { z } from 'zod';
import { routerRegistryControllers } from './index.js';
import { RoutesHttp } from './routes/routes.http.js';

@Module({
  imports: [
    ServiceModule.register({
      name: 'router-registry',
      config: z.object({}),
      controllers: () => routerRegistryControllers(),
    }),
  ],
  controllers: [RoutesHttp],
})
export class AppModule {}
