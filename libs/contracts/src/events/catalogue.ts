import type { z } from 'zod';
import type { Envelope } from '../envelope.js';
import { accessEvents } from './access.js';
import { capacityEvents } from './capacity.js';
import { type EventCategory, type EventDefinition } from './define.js';
import { deploymentEvents } from './deployment.js';
import { fleetEvents } from './fleet.js';
import { intentEvents } from './intent.js';
import { replicaEvents } from './replica.js';
import { endpointEvents, resourceEvents } from './resource.js';
import { rolloutEvents } from './rollout/index.js';
import { routeEvents } from './route.js';
import { runtimeEvents } from './runtime.js';
import { tenantEvents } from './tenant.js';
import { webhookEvents } from './webhook.js';

/** Every event type that exists. A type that is not here cannot be written, and stops a reader. */
export const EVENT_DEFINITIONS = [
  ...intentEvents,
  ...deploymentEvents,
  ...replicaEvents,
  ...resourceEvents,
  ...endpointEvents,
  ...capacityEvents,
  ...runtimeEvents,
  ...routeEvents,
  ...fleetEvents,
  ...tenantEvents,
  ...rolloutEvents,
  ...accessEvents,
  ...webhookEvents,
] as const;

type Definition = (typeof EVENT_DEFINITIONS)[number];
export type EventType = Definition['type'];
export type EventData<Type extends EventType> = z.infer<Extract<Definition, { readonly type: Type }>['data']>;

/** An event as a writer states it; the log adds the rest of the envelope. */
export type NewEvent = { [Type in EventType]: { readonly type: Type; readonly data: EventData<Type> } }[EventType];

/** An event as the log holds it. */
export type RecordedEvent = {
  [Type in EventType]: Omit<Envelope, 'type' | 'data'> & { readonly type: Type; readonly data: EventData<Type> };
}[EventType];

export type EventOf<Category extends EventCategory> = Extract<RecordedEvent, { type: `davit.${Category}.${string}` }>;

const BY_TYPE: ReadonlyMap<string, EventDefinition> = new Map(
  EVENT_DEFINITIONS.map((definition) => [definition.type, definition]),
);

export const eventDefinition = (type: string): EventDefinition | undefined => BY_TYPE.get(type);

/** `davit:<category>.<name>:v<version>`: names the schema that the data was written with. */
export const dataSchemaOf = (definition: EventDefinition): string =>
  `davit:${definition.type.slice('davit.'.length)}:v${definition.schemaVersion}`;

/** `resource/ab12` → `resource`. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('/'));
/** `resource/ab12` → `ab12`. */
export const streamKeyOf = (stream: string): string => stream.slice(stream.indexOf('/') + 1);

export const stream = {
  intent: (intentId: string) => `intent/${intentId}`,
  deployment: (key: string) => `deployment/${key}`,
  replica: (id: string) => `replica/${id}`,
  resource: (externalKey: string) => `resource/${externalKey}`,
  endpoint: (externalKey: string) => `endpoint/${externalKey}`,
  capacity: (signal: string) => `capacity/${signal}`,
  runtime: (id: string) => `runtime/${id}`,
  route: (alias: string) => `route/${alias}`,
  access: (keyId: string) => `access/${keyId}`,
  webhook: (id: string) => `webhook/${id}`,
  rollout: (id: string) => `rollout/${id}`,
  tenant: (name: string) => `tenant/${name}`,
  fleetAlarms: 'fleet/alarms',
  fleetLosses: 'fleet/losses',
  fleetOrders: 'fleet/orders',
} as const;
