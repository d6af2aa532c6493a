import { durationVariable, hostNames, wholeNumber } from '@davit/service-kit';
import { z } from 'zod';
import { accessVariables } from './access/access-config.js';

/** What spec-api reads from its environment beside the common variables. */
export const specApiConfig = z.object({
  ...accessVariables,
  /** How long a plan waits for advice on stock and price. */
  DAVIT_ADVICE_TIMEOUT: durationVariable(100, 60_000).default(5_000),
  /** Silence after which an event stream says that it is still there. */
  DAVIT_EVENT_HEARTBEAT: durationVariable(100, 300_000).default(10_000),
  /** A reader of an event stream that takes nothing for this long is let go. */
  DAVIT_EVENT_STALL: durationVariable(1_000, 3_600_000).default(60_000),
  /** Event streams that may be open at once. */
  DAVIT_MAX_EVENT_STREAMS: wholeNumber(1, 10_000).default(1_000),
  /** Whether the events of each tenant are told on the bus under subjects of its own, for subscribers with an account of their tenant. */
  DAVIT_TENANT_EVENTS: z.enum(['on', 'off']).default('off'),
  /** Hosts, parted by commas, that webhooks may reach over plain HTTP; this machine is always one. */
  DAVIT_WEBHOOK_HTTP_HOSTS: hostNames().default([]),
  /** Reads in work at once; more are turned away. */
  DAVIT_MAX_READS: wholeNumber(1, 100_000).default(200),
  /** Intents in work at once, which wait for the log; more are turned away. */
  DAVIT_MAX_INTENTS: wholeNumber(1, 100_000).default(1_000),
  /** How late the event loop may be before reads are turned away; intents are at four times as much. */
  DAVIT_MAX_LOOP_DELAY: durationVariable(10, 60_000).default(1_000),
});
export type SpecApiConfig = z.output<typeof specApiConfig>;
