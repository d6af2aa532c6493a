import { bearerOf, json, objectBody, type WireRequest, type WireResponse } from '../../http/wire.js';
import { may } from '../keys.js';
import { notAllowed, notFound, type ConsoleCall, type VastParts } from '../parts.js';
import { scopeOf } from '../scopes.js';
import { apiKeys, benchmarks, currentUser } from './account.js';
import { bundles } from './bundles.js';
import { endpoints } from './endpoints.js';
import { instances, requestLogs } from './instances.js';
import { charges, spend } from './money.js';
import { type Pacing } from './rate.js';
import { templates } from './templates.js';
import { workergroups } from './workergroups.js';

/** Resources whose name has two parts. */
const FAMILIES = new Set(['users', 'auth', 'serverless']);

/** The host `console.vast.ai`: what is wanted, and what is there. */
export function consoleHost(parts: VastParts, pacing: Pacing, request: WireRequest): WireResponse {
  const { keys, options, defects, store } = parts;
  const secret = keyOf(parts, request);
  if (secret === undefined)
    return json(403, { success: false, error: 'auth_error', msg: 'This action requires login.' });
  const holder = keys.account(secret);
  if (!holder) return json(options.unknownKey, { success: false, error: 'auth_error', msg: 'Invalid user key' });
  const route = routeOf(request);
  if (!route) return notFound('no such route');
  const { resource, id } = route;
  const refusal = pacing.refusal(
    request,
    id !== undefined && resource === 'instances' ? 'instances/one' : resource,
    store.clock.nowMs(),
  );
  if (refusal) return refusal;
  const scope = scopeOf(resource, request.method);
  const lacking = defects.list().some((fault) => fault.kind === 'scope-missing' && fault.scope === scope);
  if (scope && (lacking || !may(holder, scope, id)))
    return json(options.missingScope, {
      success: false,
      error: 'auth_error',
      msg: `Your key lacks the \`${scope}\` permission group`,
    });
  return answer(parts, resource, { request, holder, id });
}

function answer(parts: VastParts, resource: string, call: ConsoleCall): WireResponse {
  switch (resource) {
    case 'endptjobs':
      return endpoints(parts, call);
    case 'workergroups':
      return workergroups(parts, call);
    case 'template':
      return templates(parts, call);
    case 'instances':
      return instances(parts, call);
    case 'instances/request_logs':
      return requestLogs(parts, call);
    case 'bundles':
      return call.request.method === 'POST'
        ? bundles(parts.cloud, parts.store.clock.nowMs(), call.request)
        : notAllowed();
    case 'benchmarks':
      return benchmarks(parts, call);
    case 'charges':
      return charges(parts, call);
    case 'serverless/endpoints':
      return spend(parts, 'endpoints', call);
    case 'serverless/workergroups':
      return spend(parts, 'workergroups', call);
    case 'users/current':
      return currentUser(parts, call);
    case 'auth/apikeys':
      return apiKeys(parts, call);
    default:
      return notFound('no such route');
  }
}

/** The key of a request: in its header, or where the service takes it, in query or body. */
export function keyOf({ options }: Pick<VastParts, 'options'>, request: WireRequest): string | undefined {
  const bearer = bearerOf(request);
  if (bearer !== undefined || options.keyInUrl === 'refuse') return bearer;
  const inBody = objectBody(request.body)?.['api_key'];
  return request.url.searchParams.get('api_key') ?? (typeof inBody === 'string' ? inBody : undefined);
}

/** The resource by its one name, and the number in the path. */
function routeOf(request: WireRequest): { readonly resource: string; readonly id: number | undefined } | undefined {
  const [, api, version, first = '', ...rest] = request.url.pathname.split('/');
  if (api !== 'api' || (version !== 'v0' && version !== 'v1')) return undefined;
  const numbers = rest.filter((part) => /^\d+$/.test(part));
  const id = numbers[0] === undefined ? undefined : Number(numbers[0]);
  if (first === 'autojobs') return { resource: 'workergroups', id };
  if (first === 'instances' && rest[0] === 'request_logs') return { resource: 'instances/request_logs', id };
  return { resource: FAMILIES.has(first) ? `${first}/${rest[0] ?? ''}` : first, id };
}
