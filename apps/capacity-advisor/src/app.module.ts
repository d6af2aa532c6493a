import { homedir } from 'node:os';
import {
  Metrics,
  type ServiceConfig,
  ServiceModule,
  type ServiceParts,
  type ServicePorts,
  tokens,
} from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { AssessRpc } from './assessment/assess.rpc.js';
import { Assessor } from './assessment/assessor.js';
import { capacityAdvisorConfig, settingsOf } from './config.js';
import { capacityAdvisorControllers, createAssessor } from './index.js';
import { capacityMeters } from './telemetry/meters.js';

type Config = ServiceConfig<typeof capacityAdvisorConfig>;

const assessors = new WeakMap<ServicePorts, Assessor>();

/** The one assessor of a service: replicas that wait and people who plan share its answers. */
function assessorOf({ ports, config, metrics }: ServiceParts<Config>): Assessor {
  const known = assessors.get(ports);
  if (known) return known;
  const { http, clock, logger } = ports;
  const assessor = createAssessor({
    http,
    clock,
    logger,
    settings: settingsOf(config, homedir()),
    meters: capacityMeters(metrics),
  });
  assessors.set(ports, assessor);
  return assessor;
}

@Module({
  imports: [
    ServiceModule.register({
      name: 'capacity-advisor',
      config: capacityAdvisorConfig,
      checks: (parts) => [() => assessorOf(parts).checkPrices()],
      controllers: (parts) => capacityAdvisorControllers(assessorOf(parts), parts.config.DAVIT_CAPACITY_WATCH),
    }),
  ],
  controllers: [AssessRpc],
  providers: [
    {
      provide: Assessor,
      inject: [tokens.SERVICE_PORTS, tokens.CONFIG, Metrics],
      useFactory: (ports: ServicePorts, config: Config, metrics: Metrics) => assessorOf({ ports, config, metrics }),
    },
  ],
})
export class AppModule {}
