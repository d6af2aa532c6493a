import { randomUuid } from '../../clock.js';
import { json, type JsonObject, type WireResponse } from '../../http/wire.js';
import { type Endpoint, type Worker } from '../entities.js';
import { type VastParts } from '../parts.js';
import { opens, type RunCall } from './access.js';

const DEFAULT_COST = 100;

/**
 * `POST /route/`: a worker for a request, signed, or the state of those there are. A first call counts as demand; a repeated
 * one must show the index it was given, or it counts as new.
 */
export function route(parts: VastParts, { body, holder }: RunCall): WireResponse {
  const { store, engine, options } = parts;
  const cost = body['cost'] ?? DEFAULT_COST;
  if (typeof body['endpoint'] !== 'string' || typeof cost !== 'number' || cost < 0)
    return json(400, { error: 'Invalid endpoint or missing required parameters' });
  const endpoint = store.endpointBy(undefined, body['endpoint']);
  if (!opens(parts, holder, endpoint)) return json(401, { error: 'Authentication failed' });
  const requestId = randomUuid(store.random);
  if (!endpoint || !engine.isVisible(endpoint))
    return options.routeUnseen === 'error-msg'
      ? json(200, { error_msg: `endpoint ${body['endpoint']} not known yet` })
      : json(200, { endpoint: body['endpoint'], status: 'no workers', __request_id: requestId });
  const index = indexOf(parts, endpoint, body['request_idx'], cost);
  const common = { endpoint: endpoint.endpoint_name, request_idx: index, __request_id: requestId };
  const worker = engine.readyWorker(endpoint);
  if (!worker?.server) {
    if (cost > 0) wait(parts, endpoint, index);
    return json(200, { ...common, status: statusText(store.workersOf({ endpointId: endpoint.id })) });
  }
  endpoint.queue.delete(index);
  if (cost > 0) {
    worker.lastUsedMs = store.clock.nowMs();
    worker.server.queue.assign(index);
  }
  return json(200, { ...common, ...signed(parts, endpoint, worker.server.url, cost, index) });
}

function indexOf({ store, engine }: VastParts, endpoint: Endpoint, repeated: unknown, cost: number): number {
  if (typeof repeated === 'number' && repeated > 0) return repeated;
  engine.demand(endpoint, cost);
  return Math.floor(store.random.next() * 1e6) + 1;
}

/** The request stays in the engine's queue for as long as it is asked for. */
function wait({ store, engine }: VastParts, endpoint: Endpoint, index: number): void {
  const nowMs = store.clock.nowMs();
  const known = endpoint.queue.get(index);
  if (known) known.seenMs = nowMs;
  else endpoint.queue.set(index, { sinceMs: nowMs, seenMs: nowMs });
  engine.poke();
}

function signed(
  { signer, store }: VastParts,
  endpoint: Endpoint,
  url: string,
  cost: number,
  index: number,
): JsonObject {
  const data = { endpoint: endpoint.endpoint_name, url, cost, reqnum: index, request_idx: index };
  const signature = signer.sign(data);
  store.remember(signature, 'signature of a route');
  return { url, cost, reqnum: index, signature };
}

function statusText(workers: readonly Worker[]): string {
  const counts = new Map<string, number>();
  for (const { status } of workers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return `no worker ready (${[...counts].map(([name, count]) => `${name}: ${count}`).join(', ')})`;
}
