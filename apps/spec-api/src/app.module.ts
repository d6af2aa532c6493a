import { intentEvents } from '@davit/bus';
import { type CommonConfig, ServiceModule, type ServicePorts, ServiceState, tokens } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { AccessModule } from './access/access.module.js';
import { KeysController } from './access/keys.controller.js';
import { Views } from './asking/views.js';
import { CapacityController } from './capacity/capacity.controller.js';
import { WhatIfController } from './capacity/whatif.controller.js';
import { CostController } from './cost/cost.controller.js';
import { DiffController } from './diff/diff.controller.js';
import { BudgetsController } from './budgets/budgets.controller.js';
import { DoctorController } from './doctor/doctor.controller.js';
import { EventTail } from './events/event-tail.js';
import { EventsController } from './events/events.controller.js';
import { ExplainController } from './explain/explain.controller.js';
import { StoriesController } from './explain/stories.controller.js';
import { FrontDoor } from './front/front-door.js';
import { IntentHandler } from './intents/intent-handler.js';
import { IntentsBusController } from './intents/intents.bus.controller.js';
import { IntentsController } from './intents/intents.controller.js';
import { Page } from './page/page.js';
import { assessOverBus } from './plan/assess.js';
import { DeletionController } from './plan/deletion.controller.js';
import { PlanController } from './plan/plan.controller.js';
import { Published } from './published/published.js';
import { ReceiptsController } from './queries/receipts.controller.js';
import { RolloutsController } from './queries/rollouts.controller.js';
import { FleetController } from './queries/fleet.controller.js';
import { IntentHistoryController } from './queries/intent-history.controller.js';
import { QueriesController } from './queries/queries.controller.js';
import { ResourcesController } from './queries/resources.controller.js';
import { RevisionsController } from './queries/revisions.controller.js';
import { ReplayController } from './replay/replay.controller.js';
import { type SpecApiConfig, specApiConfig } from './spec-api-config.js';
import { TenantIntentsBusController } from './tenants/tenant-intents.bus.controller.js';
import { TenantMirror } from './tenants/tenant-mirror.js';
import { ASSESS, EVENT_TAIL, INTENT_HANDLER, TENANT_MIRROR } from './tokens.js';
import { webhookController } from './webhooks/deliveries.js';
import { deliveryMetrics } from './telemetry/deliveries.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

export const SERVICE = 'spec-api';

/** The front door: intents over HTTP and bus, plans, queries, the event stream. */
@Module({
  imports: [
    AccessModule,
    ServiceModule.register({
      name: SERVICE,
      config: specApiConfig,
      storedMessages: { ...intentEvents, answerIntents: true },
      controllers: ({ ports: { log, http, logger }, metrics }) => [
        webhookController({
          ...{ log, http, logger },
          // Only variables that a webhook names are read, at the moment they are used.
          secrets: (name) => process.env[name],
          onDelivery: deliveryMetrics(metrics),
        }),
      ],
    }),
  ],
  controllers: [
    IntentsController,
    IntentsBusController,
    TenantIntentsBusController,
    PlanController,
    DeletionController,
    QueriesController,
    RevisionsController,
    ResourcesController,
    IntentHistoryController,
    FleetController,
    RolloutsController,
    ReceiptsController,
    BudgetsController,
    CapacityController,
    WhatIfController,
    CostController,
    ExplainController,
    StoriesController,
    DiffController,
    ReplayController,
    EventsController,
    DoctorController,
    KeysController,
    WebhooksController,
  ],
  providers: [
    FrontDoor,
    Published,
    Page,
    {
      provide: Views,
      inject: [tokens.SERVICE_PORTS],
      useFactory: (ports: ServicePorts) => new Views(ports),
    },
    {
      provide: INTENT_HANDLER,
      inject: [tokens.SERVICE_PORTS],
      useFactory: (ports: ServicePorts) => new IntentHandler(ports, SERVICE),
    },
    {
      provide: ASSESS,
      inject: [tokens.BUS, tokens.CONFIG],
      useFactory: (bus: ServicePorts['bus'], config: CommonConfig & SpecApiConfig) =>
        assessOverBus(bus, config.DAVIT_ADVICE_TIMEOUT),
    },
    {
      provide: EVENT_TAIL,
      inject: [tokens.SERVICE_PORTS, ServiceState],
      useFactory: (ports: ServicePorts, state: ServiceState) => {
        const tail = new EventTail(ports);
        state.stopping.addEventListener('abort', () => void tail.stop());
        return tail;
      },
    },
    {
      provide: TENANT_MIRROR,
      inject: [tokens.SERVICE_PORTS, tokens.CONFIG, EVENT_TAIL, ServiceState],
      useFactory: (ports: ServicePorts, config: SpecApiConfig, tail: EventTail, state: ServiceState) => {
        if (config.DAVIT_TENANT_EVENTS === 'off') return null;
        const mirror = new TenantMirror(ports, tail);
        void state.running.then(() => mirror.start());
        state.stopping.addEventListener('abort', () => void mirror.stop());
        return mirror;
      },
    },
  ],
})
export class AppModule {}
