import { ChargesApi } from './api/charges.js';
import { EndpointsApi } from './api/endpoints.js';
import { InstancesApi } from './api/instances.js';
import { KeysApi } from './api/keys.js';
import { LogsApi } from './api/logs.js';
import { OffersApi } from './api/offers.js';
import { RouteApi } from './api/route.js';
import { TemplatesApi } from './api/templates.js';
import { UpdateWorkersApi } from './api/update-workers.js';
import { UsersApi } from './api/users.js';
import { WorkergroupsApi } from './api/workergroups.js';
import { WorkersApi } from './api/workers.js';
import { Transport, type TransportParts } from './wire/transport.js';

/**
 * Vast's two hosts by resource. All calls take turns at one pacer, so there is one client a process. An answer is confirmed,
 * refused, or unknown; nothing throws.
 */
export class VastClient {
  readonly endpoints: EndpointsApi;
  readonly workergroups: WorkergroupsApi;
  readonly templates: TemplatesApi;
  readonly instances: InstancesApi;
  readonly offers: OffersApi;
  readonly charges: ChargesApi;
  readonly users: UsersApi;
  readonly keys: KeysApi;
  readonly workers: WorkersApi;
  readonly logs: LogsApi;
  readonly route: RouteApi;
  readonly updateWorkers: UpdateWorkersApi;

  constructor(parts: TransportParts) {
    const transport = new Transport(parts);
    this.endpoints = new EndpointsApi(transport);
    this.workergroups = new WorkergroupsApi(transport);
    this.templates = new TemplatesApi(transport);
    this.instances = new InstancesApi(transport);
    this.offers = new OffersApi(transport);
    this.charges = new ChargesApi(transport);
    this.users = new UsersApi(transport);
    this.keys = new KeysApi(transport);
    this.workers = new WorkersApi(transport);
    this.logs = new LogsApi(transport);
    this.route = new RouteApi(transport);
    this.updateWorkers = new UpdateWorkersApi(transport);
  }
}
