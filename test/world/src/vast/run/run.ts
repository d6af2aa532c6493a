import { bearerOf, json, objectBody, text, type WireRequest, type WireResponse } from '../../http/wire.js';
import { type VastParts } from '../parts.js';
import { logs } from './logs.js';
import { route } from './route.js';
import { updateWorkers } from './update.js';
import { workersOf, type ListCalls } from './workers.js';

/** The run host: routing, worker lists, logs, rolling update. It sees the console's changes with a delay. */
export function runHost(parts: VastParts, lists: ListCalls, request: WireRequest): WireResponse {
  const body = objectBody(request.body) ?? {};
  const inBody = typeof body['api_key'] === 'string' ? body['api_key'] : undefined;
  const inQuery = request.url.searchParams.get('api_key') ?? undefined;
  const call = { body, holder: parts.keys.any(bearerOf(request) ?? inBody ?? inQuery) };
  switch (`${request.method} ${request.url.pathname}`) {
    case 'GET /pubkey/':
      return text(200, parts.signer.publicPem());
    case 'POST /route/':
      return route(parts, call);
    case 'POST /get_endpoint_workers/':
      return workersOf(parts, lists, call, 'endpoint');
    case 'POST /get_workergroup_workers/':
    case 'POST /get_autogroup_workers/':
      return workersOf(parts, lists, call, 'workergroup');
    case 'POST /get_endpoint_logs/':
      return logs(parts, call, 'endpoint');
    case 'POST /get_workergroup_logs/':
    case 'POST /get_autogroup_logs/':
      return logs(parts, call, 'workergroup');
    case 'POST /update_workers/':
      return updateWorkers(parts, call);
    default:
      return json(404, { error: 'not found' });
  }
}
