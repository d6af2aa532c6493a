import { ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { lossLimitsOf, orchestratorConfig } from './config.js';
import { orchestratorControllers } from './controllers.js';
import { fleetMetrics } from './fleet-metrics.js';

@Module({
  imports: [
    ServiceModule.register({
      name: 'orchestrator',
      config: orchestratorConfig,
      controllers: ({ config, metrics }) =>
        orchestratorControllers({
          installation: config.DAVIT_INSTALLATION,
          timings: { adviceDeadlineMs: config.DAVIT_ADVICE_DEADLINE, deferMs: config.DAVIT_DEFER },
          losses: lossLimitsOf(config),
          meters: fleetMetrics(metrics),
        }),
    }),
  ],
})
export class AppModule {}
