import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { runpodWitnessSettingsOf, skypilotAgentConfig, skySettingsOf, timingsOf } from './config.js';
import { skypilotAgentControllers } from './controllers.js';
import { directBackend } from './direct/backend.js';
import { skyBackend } from './sky/backend.js';
import { taskFilesIn } from './sky/task-files.js';
import { runpodWitness } from './witness/runpod.js';

@Module({
  imports: [
    ServiceModule.register({
      name: 'skypilot-agent',
      config: skypilotAgentConfig,
      controllers: ({ ports: { commands, clock, http }, config }) => {
        const settings = skySettingsOf(config);
        const runpod = runpodWitnessSettingsOf(config);
        mkdirSync(settings.home, { recursive: true, mode: 0o700 });
        const sky = skyBackend({
          commands,
          clock,
          settings,
          witnesses: runpod === null ? [] : [runpodWitness({ http, clock }, runpod)],
          // Only variables that a specification names are read, at the moment they are used.
          secrets: (name) => process.env[name],
          files: taskFilesIn(path.resolve(config.DAVIT_HOME, 'tasks')),
        });
        return skypilotAgentControllers({
          backends: [sky, directBackend],
          timings: timingsOf(config),
          concurrency: config.DAVIT_RESOURCE_CONCURRENCY,
        });
      },
    }),
  ],
})
export class AppModule {}
