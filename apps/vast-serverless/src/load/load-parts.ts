import type { Clock, HttpClient, Logger, Random } from '@davit/ports';
import type { VastClient } from '../vast/client.js';

/** What load is sent and watched with. */
export interface LoadParts {
  readonly clock: Clock;
  readonly random: Random;
  /** Reaches workers; their sockets are bounded there, so its bound has to be as large as that of the requests in flight. */
  readonly http: HttpClient;
  readonly client: Pick<VastClient, 'route' | 'workers' | 'instances' | 'charges'>;
  /** Certificate authorities that workers' certificates go back to; trusted for workers alone. */
  readonly workerCa?: string;
  readonly logger: Logger;
}

/** The endpoint that load is sent to. */
export interface LoadTarget {
  readonly endpointId: number;
  readonly endpointName: string;
  /** Put into payloads that name no model. */
  readonly servedName: string;
}
