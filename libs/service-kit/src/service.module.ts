import { dataSourceOptions } from '@davit/event-log';
import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { z } from 'zod';
import type { CommonConfig } from './config/common.js';
import { HealthController } from './health/health.controller.js';
import { ServiceAudit } from './health/service-audit.js';
import { ServiceHealth } from './health/service-health.js';
import { StateMetrics } from './metrics/state-metrics.js';
import type { ServiceDefinition } from './service-definition.js';
import { ServiceLifecycle } from './service-lifecycle.js';
import * as token from './tokens.js';
import { controlLoopProvider } from './wiring/control-loop.js';
import { commonProviders } from './wiring/providers.js';

/**
 * Everything a service of this system has: log, bus, relay, projection of the lifecycle in tables of its own, control loop,
 * health, metrics. Import it once, in the application's module; what it provides is visible everywhere.
 */
@Module({})
export class ServiceModule {
  static register<Schema extends z.ZodObject>(definition: ServiceDefinition<Schema>): DynamicModule {
    const providers = [...commonProviders(definition), controlLoopProvider(definition)];
    return {
      module: ServiceModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [token.CONFIG],
          useFactory: (config: CommonConfig) => ({
            ...dataSourceOptions({
              url: config.DATABASE_URL,
              applicationName: `davit ${definition.name}`,
              poolSize: config.DAVIT_DATABASE_POOL,
            }),
            // The lifecycle connects: it can wait for a database that is not there yet, and say so.
            manualInitialization: true,
          }),
        }),
      ],
      controllers: [HealthController],
      providers: [
        ...providers,
        { provide: token.DEFINITION, useValue: definition },
        ServiceLifecycle,
        ServiceHealth,
        ServiceAudit,
        StateMetrics,
      ],
      exports: [...providers, ServiceLifecycle, ServiceHealth],
    };
  }
}
