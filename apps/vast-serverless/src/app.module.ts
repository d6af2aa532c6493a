import { ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { timingsOf, vastServerlessConfig, vastSettingsOf } from './config.js';
import { vastServerlessControllers } from './controllers.js';
import { vastBackend } from './vast/backend.js';

@Module({
  imports: [
    ServiceModule.register({
      name: 'vast-serverless',
      config: vastServerlessConfig,
      controllers: ({ ports: { http, clock }, config }) =>
        vastServerlessControllers({
          backend: vastBackend({ http, clock, settings: vastSettingsOf(config) }),
          timings: timingsOf(config),
          concurrency: config.DAVIT_RESOURCE_CONCURRENCY,
        }),
    }),
  ],
})
export class AppModule {}
