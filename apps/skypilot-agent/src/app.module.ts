import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openReplicasOf } from '@davit/provider-kit';
import { ConfigError, orphanRulesOf, providerMetrics, type ServicePorts, ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import {
  OWN_BACKENDS,
  runpodWitnessSettingsOf,
  skypilotAgentConfig,
  type SkypilotAgentConfig,
  skySettingsOf,
  timingsOf,
} from './config.js';
import { skypilotAgentControllers } from './controllers.js';
import { directBackend } from './direct/backend.js';
import { skyBackend } from './sky/backend.js';
import { SKY_CALLS } from './sky/calls.js';
import { taskFilesIn } from './sky/task-files.js';
import { RUNPOD_CALLS } from './witness/runpod-calls.js';
import { runpodWitness } from './witness/runpod.js';

const CALLS = { sky: Object.keys(SKY_CALLS), runpod: Object.keys(RUNPOD_CALLS) };

@Module({
  imports: [
    ServiceModule.register({
      name: 'skypilot-agent',
      config: skypilotAgentConfig,
      admit: ({ ports, config }) => refuseLeavingOut(ports, config),
      controllers: ({ ports: { commands, clock, http, random }, config, metrics }) => {
        const onCall = providerMetrics(metrics, CALLS);
        const settings = skySettingsOf(config);
        const runpod = runpodWitnessSettingsOf(config);
        mkdirSync(settings.home, { recursive: true, mode: 0o700 });
        const sky = skyBackend({
          commands,
          clock,
          settings,
          witnesses: runpod === null ? [] : [runpodWitness({ http, clock, onCall: onCall('runpod') }, runpod)],
          onCall: onCall('sky'),
          // Only variables that a specification names are read, at the moment they are used.
          secrets: (name) => process.env[name],
          files: taskFilesIn(path.resolve(config.DAVIT_HOME, 'tasks')),
        });
        return skypilotAgentControllers({
          backends: [sky, directBackend].filter(({ adapter }) =>
            config.DAVIT_BACKENDS.some((name) => name === adapter),
          ),
          inventory: { installation: config.DAVIT_INSTALLATION, random, rules: orphanRulesOf(config) },
          timings: timingsOf(config),
          concurrency: config.DAVIT_RESOURCE_CONCURRENCY,
        });
      },
    }),
  ],
})
export class AppModule {}

/** A backend that is left out while it has replicas would leave them running, with nobody to end them. */
async function refuseLeavingOut({ model }: ServicePorts, config: SkypilotAgentConfig): Promise<void> {
  const problems: string[] = [];
  for (const adapter of OWN_BACKENDS.filter((name) => !config.DAVIT_BACKENDS.includes(name))) {
    const open = await openReplicasOf(model, adapter);
    if (open === undefined) continue;
    problems.push(
      `DAVIT_BACKENDS leaves out "${adapter}", which still has replicas: ${open}. ` +
        `Put "${adapter}" back, delete their deployments, and leave it out once they are gone.`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
}
