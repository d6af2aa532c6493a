import type { IntentKind, IntentVerb } from './intents.js';
import type { BusService, BusVerb } from './requests.js';

/** Subjects and stream names on the bus. Subjects hold category and type, never the id of an entity. */
export const subjects = {
  /** `davit.replica.ready` → `davit.log.replica.ready`. */
  log: (eventType: string): string => `davit.log.${eventType.slice('davit.'.length)}`,
  allLog: 'davit.log.>',
  intent: <Kind extends IntentKind>(kind: Kind, verb: IntentVerb<Kind>): string => `davit.intent.${kind}.${verb}`,
  allIntents: 'davit.intent.>',
  rpc: <Service extends BusService>(service: Service, verb: BusVerb<Service>): string => `davit.rpc.${service}.${verb}`,
  /** Of one tenant, for its own subscribers: `davit.tenant.<tenant>.log.replica.ready`. */
  tenantLog: (tenant: string, eventType: string): string =>
    `davit.tenant.${tenant}.log.${eventType.slice('davit.'.length)}`,
  allTenantLogs: 'davit.tenant.*.log.>',
  /** Intents that came from the account of a tenant, which cannot speak for another one. */
  allTenantIntents: 'davit.tenant.*.intent.>',
  /** Fire-and-forget hint that the log has grown. Losing it costs only the relay's polling interval. */
  poke: 'davit.poke',
} as const;

export const busStreams = {
  log: 'LOG',
  intents: 'INTENTS',
  deadLetters: 'DEADLETTERS',
  /** What each tenant may see of LOG, each under subjects of its own. */
  tenants: 'TENANTS',
} as const;
