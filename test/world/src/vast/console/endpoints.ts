import { json, objectBody, type JsonObject, type WireResponse } from '../../http/wire.js';
import { type Endpoint, type Worker } from '../entities.js';
import { invalid, notAllowed, unknownKeyIn, type ConsoleCall, type VastParts } from '../parts.js';
import { DEFAULT_POLICY, isEndpointState, POLICY_FIELDS, readPolicy } from './policy.js';
import { endpointRow } from './rows.js';

const KNOWN = [
  ...POLICY_FIELDS,
  ...['endpoint_name', 'endpoint_state', 'autoscaler_instance', 'client_id', 'endptjob_id', 'api_key'],
];

/** `/api/v0/endptjobs/`: endpoints and their scaling policy. */
export function endpoints(parts: VastParts, { request, id }: ConsoleCall): WireResponse {
  const { store, options } = parts;
  const body = objectBody(request.body) ?? {};
  const unknown = unknownKeyIn(options, body, KNOWN);
  if (unknown) return unknown;
  if (id !== undefined) {
    const endpoint = store.endpoints.get(id);
    if (endpoint) return oneEndpoint(parts, request.method, endpoint, body);
    return invalid(`${request.method === 'DELETE' ? 'Routegroup' : 'Endpointgroup'} not found for user`);
  }
  if (request.method === 'GET') {
    const rows = [...store.endpoints.values()].map((endpoint) => endpointRow(endpoint, options));
    if (rows.length === 0 && options.emptyEndpointList === 'error') return invalid('No endpoints for user found');
    return json(200, { success: true, results: rows });
  }
  return request.method === 'POST' ? newEndpoint(parts, body) : notAllowed();
}

function newEndpoint({ store }: VastParts, body: JsonObject): WireResponse {
  const name = body['endpoint_name'] ?? 'default-endpoint';
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,255}$/.test(name))
    return invalid('endpoint_name: Value error, contains disallowed shell characters');
  const policy = readPolicy(body, DEFAULT_POLICY);
  if (typeof policy === 'string') return invalid(policy);
  return json(200, { success: true, result: store.addEndpoint(name, policy).id });
}

function oneEndpoint(parts: VastParts, method: string, endpoint: Endpoint, body: JsonObject): WireResponse {
  const { store, engine, options } = parts;
  if (method === 'GET') return json(200, { result: endpointRow(endpoint, options) });
  if (method === 'PUT') {
    const policy = readPolicy(body, endpoint.policy, options.putEndpoint);
    if (typeof policy === 'string') return invalid(policy);
    endpoint.policy = policy;
    if (isEndpointState(body['endpoint_state'])) endpoint.endpoint_state = body['endpoint_state'];
    engine.poke();
    return json(200, { success: true });
  }
  if (method !== 'DELETE') return notAllowed();
  store.endpoints.delete(endpoint.id);
  for (const group of store.groupsOf(endpoint.id)) store.groups.delete(group.id);
  return deletion(parts, store.workersOf({ endpointId: endpoint.id }), 'Deleted endpoint job');
}

/** Destroys workers and says of which that succeeded. */
export function deletion({ engine, options }: VastParts, workers: readonly Worker[], what: string): WireResponse {
  const { deleted, failed } = engine.destroy(workers, options.failedOnDelete);
  return json(200, {
    success: true,
    deleted_workers: deleted,
    failed_workers: failed,
    msg: `${what} and ${deleted.length} workers`,
  });
}
