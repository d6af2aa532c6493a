import { ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { runtimeProberConfig, settingsOf } from './config.js';
import { runtimeProberControllers } from './index.js';

@Module({
  imports: [
    ServiceModule.register({
      name: 'runtime-prober',
      config: runtimeProberConfig,
      controllers: ({ ports: { http, clock, random }, config }) =>
        runtimeProberControllers({ http, clock, random, environment: process.env, settings: settingsOf(config) }),
    }),
  ],
})
export class AppModule {}
