import type { Bus } from '@davit/bus';
import type { EventLog, EvidenceStore, Leases, LogFeed } from '@davit/event-log';
import type { Clock, CommandRunner, HttpClient, Ids, Logger, Random } from '@davit/ports';
import type { ReadModel } from '@davit/projection';
import type { Metrics } from './metrics/metrics.js';

/** Everything a service reaches the world through. What it does is written over these; Nest only wires them. */
export interface ServicePorts {
  readonly log: EventLog;
  readonly leases: Leases;
  readonly feed: LogFeed;
  readonly evidence: EvidenceStore;
  readonly model: ReadModel;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly logger: Logger;
  readonly http: HttpClient;
  readonly commands: CommandRunner;
}

/** What the parts of a service are built from. */
export interface ServiceParts<Config> {
  readonly ports: ServicePorts;
  readonly config: Config;
  readonly metrics: Metrics;
}
