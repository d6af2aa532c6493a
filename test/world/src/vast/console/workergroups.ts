import { json, objectBody, type JsonObject, type WireResponse } from '../../http/wire.js';
import { type Template, type Workergroup } from '../entities.js';
import { parseSearch, searchText } from '../offers.js';
import { invalid, notAllowed, unknownKeyIn, type ConsoleCall, type VastParts } from '../parts.js';
import { deletion } from './endpoints.js';
import { groupRow } from './rows.js';

/** Kept and shown, and read by nobody. */
const INERT = ['test_workers', 'min_load', 'target_util', 'cold_mult', 'cold_workers', 'max_workers'];
const LOGIN = ['docker_login_user', 'docker_login_pass', 'docker_login_repo'];
const KNOWN = [
  ...INERT,
  ...LOGIN,
  ...['endpoint_id', 'endpoint_name', 'template_id', 'template_hash', 'search_params', 'launch_args', 'gpu_ram'],
  ...['autoscaler_instance', 'client_id', 'autojob_id', 'api_key'],
];
const NO_TEMPLATE = 'invalid template hash or id or template not accessible by user';

/** `/api/v0/workergroups/`, also known as `autojobs`. */
export function workergroups(parts: VastParts, call: ConsoleCall): WireResponse {
  const { request, id } = call;
  const { store, options } = parts;
  const body = objectBody(request.body) ?? {};
  const unknown = unknownKeyIn(options, body, KNOWN);
  if (unknown) return unknown;
  if (request.method === 'GET' && id === undefined) {
    const rows = [...store.groups.values()].map((group) =>
      groupRow(group, store.endpoints.get(group.endpointId)?.endpoint_name ?? '', options),
    );
    return json(200, { success: true, results: rows });
  }
  if (request.method === 'POST' && id === undefined) return newGroup(parts, call, body);
  const group = id === undefined ? undefined : store.groups.get(id);
  if (request.method === 'PUT')
    return group ? updateGroup(parts, group, body) : invalid('Workgroup not found for user');
  if (request.method !== 'DELETE') return notAllowed();
  if (!group)
    return json(404, { error: 'no_such_workergroup', msg: 'No workergroup by that id is available.', id: id ?? null });
  return deleteGroup(parts, group);
}

function newGroup(parts: VastParts, { holder }: ConsoleCall, body: JsonObject): WireResponse {
  const { store, engine, options } = parts;
  const refusal = workergroupRefusal(parts, holder.permissions !== null);
  if (refusal) return refusal;
  const endpoint = store.endpointBy(body['endpoint_id'], body['endpoint_name']);
  if (!endpoint) return invalid('Please assign your workergroup to a valid endpoint identifier');
  const template = templateIn(parts, body, undefined);
  if (!template) return invalid(NO_TEMPLATE);
  if (!('search_params' in body)) return invalid('search_params: Field required');
  const group: Workergroup = {
    id: store.nextId(),
    endpointId: endpoint.id,
    template,
    searchText: searchText(body['search_params']),
    launchArgs: typeof body['launch_args'] === 'string' ? body['launch_args'] : '',
    gpuRamGb: typeof body['gpu_ram'] === 'number' ? body['gpu_ram'] : 24,
    inert: picked(body, INERT),
    dockerLogin: picked(body, LOGIN),
    api_key: store.canary('workergroup key'),
    createdAtMs: store.clock.nowMs(),
  };
  rememberLogin(parts, body);
  store.groups.set(group.id, group);
  engine.pokeWhenVisible();
  return json(200, { success: true, [options.createWorkergroupId]: group.id });
}

/** Rights and credit, where the service asks for more than `misc`. */
function workergroupRefusal({ options, engine }: VastParts, isScoped: boolean): WireResponse | undefined {
  const refused = (error: string, msg: string): WireResponse => json(403, { success: false, error, msg });
  if (options.workergroupNeeds === 'admin-and-deposit' && isScoped)
    return refused('auth_error', 'This action requires an admin key');
  return engine.credit() <= 0
    ? refused('insufficient_credit', 'Your account lacks credit; see the billing page.')
    : undefined;
}

function updateGroup(parts: VastParts, group: Workergroup, body: JsonObject): WireResponse {
  const { store, engine, options } = parts;
  const names = body['endpoint_id'] ?? body['endpoint_name'];
  const isNamed = store.endpointBy(body['endpoint_id'], body['endpoint_name']) !== undefined;
  if (!isNamed && (options.putWorkergroup === 'needs-endpoint' || (names !== undefined && names !== null)))
    return invalid('Missing endpoint ID');
  const before = { template: group.template, search: JSON.stringify(parseSearch(group.searchText)) };
  if (given(body, 'template_id') || given(body, 'template_hash')) {
    const template = templateIn(parts, body, group);
    if (!template) return invalid(NO_TEMPLATE);
    group.template = template;
  }
  if (given(body, 'search_params')) group.searchText = searchText(body['search_params']);
  if (typeof body['launch_args'] === 'string') group.launchArgs = body['launch_args'];
  if (typeof body['gpu_ram'] === 'number') group.gpuRamGb = body['gpu_ram'];
  Object.assign(group.inert, picked(body, INERT));
  Object.assign(group.dockerLogin, picked(body, LOGIN));
  rememberLogin(parts, body);
  const isNewSearch = before.search !== JSON.stringify(parseSearch(group.searchText));
  if (isNewSearch || before.template.hash !== group.template.hash) engine.groupChanged(group, isNewSearch);
  else engine.poke();
  return json(200, { success: true });
}

function deleteGroup(parts: VastParts, group: Workergroup): WireResponse {
  const { store, options } = parts;
  store.groups.delete(group.id);
  const workers = store.workersOf({ groupId: group.id });
  const left = options.deleteWorkergroup === 'lingers' ? workers.find(({ status }) => status === 'idle') : undefined;
  return deletion(
    parts,
    workers.filter((worker) => worker !== left),
    'Deleted workergroup',
  );
}

/** The template that a body names. A hash alone may lead to the one that was known before. */
function templateIn(
  { store, options }: VastParts,
  body: JsonObject,
  group: Workergroup | undefined,
): Template | undefined {
  const { template_id: id, template_hash: hash } = body;
  const found = store.templateBy(id, hash);
  if (!found || typeof id === 'number' || options.templateHashLookup === 'exact') return found;
  if (group) return group.template;
  const kin = [...store.templates.values()].find(({ fields }) => fields['image'] === found.fields['image']);
  return kin ?? found;
}

function rememberLogin({ store }: VastParts, body: JsonObject): void {
  const secret = body['docker_login_pass'];
  if (typeof secret === 'string') store.remember(secret, 'registry password of a workergroup');
}

const given = (body: JsonObject, name: string): boolean => body[name] !== undefined && body[name] !== null;

const picked = (body: JsonObject, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => given(body, name)).map((name) => [name, body[name]]));
