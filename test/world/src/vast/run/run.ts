import {
  bearerOf,
  json,
  objectBody,
  text,
  type JsonObject,
  type WireRequest,
  type WireResponse,
} from '../../http/wire.js';
import { type Endpoint, type Workergroup } from '../entities.js';
import { type Holder } from '../keys.js';
import { type VastParts } from '../parts.js';
import { logs } from './logs.js';
import { route } from './route.js';
import { updateWorkers } from './update.js';
import { workersOf, type ListCalls } from './workers.js';

/** A call to the run host, with whoever's key it shows. */
export interface RunCall {
  readonly body: JsonObject;
  readonly holder: Holder | undefined;
}

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

export const groupOf = ({ store }: VastParts, id: unknown): Workergroup | undefined =>
  id === undefined || id === null ? undefined : store.groups.get(Number(id));

/** Whether a key opens this: a key of the account, or the thing's own. */
export function opens(
  { options }: VastParts,
  holder: Holder | undefined,
  owner: Endpoint | Workergroup | undefined,
): boolean {
  if (!holder) return false;
  const { permissions, endpointId, groupId } = holder;
  if (endpointId === undefined) return permissions === null || options.runScopedKeys === 'allowed';
  if (!owner) return false;
  if ('endpointId' in owner) return groupId === owner.id || (groupId === undefined && endpointId === owner.endpointId);
  return endpointId === owner.id && groupId === undefined;
}

/** What the run host says, with 200, to a key or an id that is wrong. */
export const unauthenticated = (kind: 'endpoint' | 'workergroup', name: unknown): WireResponse =>
  json(200, `authenticate_${kind}_apikey: invalid api_key or ${kind} ${String(name)} not found`);
