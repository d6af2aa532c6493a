import { randomHex, randomUuid } from '../clock.js';
import { bearerOf, json, objectBody, type JsonObject, type WireRequest, type WireResponse } from '../http/wire.js';
import { type VastParts } from './console.js';
import { type Endpoint, type Workergroup } from './entities.js';
import { workerRow } from './rows.js';

/** The run host: routing, worker lists, logs, rolling update. It sees the console's changes with a delay. */
export function runHost(parts: VastParts, request: WireRequest): WireResponse {
  const body = objectBody(request.body) ?? {};
  const key = bearerOf(request) ?? (typeof body['api_key'] === 'string' ? body['api_key'] : '');
  switch (`${request.method} ${request.url.pathname}`) {
    case 'POST /route/':
      return route(parts, body, key);
    case 'POST /get_endpoint_workers/':
      return workersOf(parts, parts.store.endpointBy(body['id'], body['endpoint']), key, 'endpoint');
    case 'POST /get_workergroup_workers/':
    case 'POST /get_autogroup_workers/':
      return workersOf(parts, groupOf(parts, body['id']), key, 'workergroup');
    case 'POST /get_endpoint_logs/':
    case 'POST /get_workergroup_logs/':
    case 'POST /get_autogroup_logs/':
      return logs(parts, body, key);
    case 'POST /update_workers/':
      return updateWorkers(parts, groupOf(parts, body['workergroup_id']), key, body['cancel_update'] === true);
    default:
      return json(404, { error: 'not found' });
  }
}

const groupOf = ({ store }: VastParts, id: unknown): Workergroup | undefined =>
  typeof id === 'number' ? store.groups.get(id) : undefined;

function route({ store, engine, options }: VastParts, body: JsonObject, key: string): WireResponse {
  const cost = body['cost'] ?? 100;
  if (typeof body['endpoint'] !== 'string' || typeof cost !== 'number' || cost < 0)
    return json(400, { error: 'Invalid endpoint or missing required parameters' });
  const endpoint = store.endpointBy(undefined, body['endpoint']);
  if (key !== options.apiKey && key !== endpoint?.api_key) return json(401, { error: 'Authentication failed' });
  if (!endpoint || !engine.isVisible(endpoint))
    return json(200, { error_msg: `endpoint ${body['endpoint']} not known yet` });
  const repeated = body['request_idx'];
  const requestIndex =
    typeof repeated === 'number' && repeated > 0 ? repeated : Math.floor(store.random.next() * 1e6) + 1;
  if (repeated === undefined || repeated === 0) engine.demand(endpoint, cost);
  const workers = store.workersOf({ endpointId: endpoint.id });
  const common = {
    endpoint: endpoint.endpoint_name,
    request_idx: requestIndex,
    __request_id: randomUuid(store.random),
  };
  const worker = workers.filter(({ status }) => status === 'idle').sort((a, b) => a.lastUsedMs - b.lastUsedMs)[0];
  if (!worker?.machine) {
    const counts = new Map<string, number>();
    for (const { status } of workers) counts.set(status, (counts.get(status) ?? 0) + 1);
    const status = [...counts].map(([name, count]) => `${name}: ${count}`).join(', ');
    return json(200, { ...common, status: `no worker ready (${status})` });
  }
  if (cost > 0) worker.lastUsedMs = store.clock.nowMs();
  const { host, port } = worker.machine.address;
  const signature = Buffer.from(randomHex(store.random, 64)).toString('base64');
  return json(200, { ...common, url: `http://${host}:${port}`, cost, reqnum: requestIndex, signature });
}

function workersOf(
  { store, engine, options }: VastParts,
  owner: Endpoint | Workergroup | undefined,
  key: string,
  kind: 'endpoint' | 'workergroup',
): WireResponse {
  if (key !== options.apiKey && key !== owner?.api_key)
    return json(200, `authenticate_${kind}_apikey: invalid api_key or ${kind} not found`);
  if (!owner || !engine.isVisible(owner)) return json(200, { error_msg: `${kind} is not ready` });
  const workers = store.workersOf(kind === 'endpoint' ? { endpointId: owner.id } : { groupId: owner.id });
  const rows = workers.map(workerRow);
  return json(200, options.workersShape === 'array' ? rows : { workers: rows });
}

function logs({ store, options }: VastParts, body: JsonObject, key: string): WireResponse {
  if (key !== options.apiKey) return json(200, 'authenticate_endpoint_apikey: invalid api_key');
  const workers = [...store.workers.values()].filter(
    (worker) => worker.endpointId === body['id'] || worker.groupId === body['id'],
  );
  const info = workers.map(({ id, status }) => `worker ${id}: ${status}\n`).join('');
  return json(200, { info0: info, info1: info, trace: '', debug: '' });
}

function updateWorkers(
  { store, engine, options }: VastParts,
  group: Workergroup | undefined,
  key: string,
  cancel: boolean,
): WireResponse {
  if (key !== options.apiKey || !group)
    return json(200, { success: false, error_msg: 'authenticate_workergroup_apikey: invalid api_key or group' });
  if (cancel) {
    engine.cancelUpdate(group);
    return json(200, { success: true, cancelled: true });
  }
  const outdated = store
    .workersOf({ groupId: group.id })
    .filter(({ template }) => template.hash !== group.template.hash);
  engine.update(group, outdated);
  return json(200, { success: true, workers_to_update: outdated.length });
}
