import { openReplicasOf } from '@davit/provider-kit';
import { ConfigError, orphanRulesOf, providerMetrics, ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { timingsOf, vastServerlessConfig, vastSettingsOf } from './config.js';
import { vastServerlessControllers } from './controllers.js';
import { vastBackend } from './vast/backend.js';
import { ROUTES } from './vast/wire/routes.js';

const CALLS = { vast: Object.keys(ROUTES) };

@Module({
  imports: [
    ServiceModule.register({
      name: 'vast-serverless',
      config: vastServerlessConfig,
      admit: async ({ ports: { model }, config }) => {
        const open = config.VAST_API_KEY === '' ? await openReplicasOf(model, 'vast-serverless') : undefined;
        if (open === undefined) return;
        throw new ConfigError([
          `VAST_API_KEY is not set, and there are endpoints that only it can end: ${open}. ` +
            'Set it, delete their deployments, and take it away once they are gone.',
        ]);
      },
      controllers: ({ ports: { http, clock, random }, config, metrics }) =>
        vastServerlessControllers({
          backend: vastBackend({
            ...{ http, clock, random },
            settings: vastSettingsOf(config),
            onCall: providerMetrics(metrics, CALLS)('vast'),
            secrets: (name) => process.env[name],
          }),
          inventory: { installation: config.DAVIT_INSTALLATION, random, rules: orphanRulesOf(config) },
          timings: timingsOf(config),
          concurrency: config.DAVIT_RESOURCE_CONCURRENCY,
        }),
    }),
  ],
})
export class AppModule {}
