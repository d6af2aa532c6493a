import { ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { orchestratorConfig } from './config.js';
import { orchestratorControllers } from './controllers.js';

@Module({
  imports: [
    ServiceModule.register({
      name: 'orchestrator',
      config: orchestratorConfig,
      controllers: ({ config }) =>
        orchestratorControllers({
          installation: config.DAVIT_INSTALLATION,
          timings: { adviceDeadlineMs: config.DAVIT_ADVICE_DEADLINE, deferMs: config.DAVIT_DEFER },
        }),
    }),
  ],
})
export class AppModule {}
