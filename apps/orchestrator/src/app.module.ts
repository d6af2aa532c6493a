import { ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { lossLimitsOf, orchestratorConfig } from './config.js';
import { orchestratorControllers } from './controllers.js';
import { BudgetReader } from './budgets.js';
import { fleetMeters } from './telemetry/meters.js';
import { fleetModelMetrics } from './telemetry/model.js';

@Module({
  imports: [
    ServiceModule.register({
      name: 'orchestrator',
      config: orchestratorConfig,
      modelMetrics: fleetModelMetrics(new BudgetReader()),
      controllers: ({ config, metrics }) =>
        orchestratorControllers({
          installation: config.DAVIT_INSTALLATION,
          timings: { adviceDeadlineMs: config.DAVIT_ADVICE_DEADLINE, deferMs: config.DAVIT_DEFER },
          losses: lossLimitsOf(config),
          meters: fleetMeters(metrics),
        }),
    }),
  ],
})
export class AppModule {}
