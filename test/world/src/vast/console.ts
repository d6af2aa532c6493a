import { isObject, json, objectBody, type JsonObject, type WireRequest, type WireResponse } from '../http/wire.js';
import { type Cloud } from '../cloud/cloud.js';
import { type VastEngine } from './engine.js';
import { type Endpoint, type Worker, type Workergroup } from './entities.js';
import { searchText } from './offers.js';
import { type VastOptions } from './options.js';
import { DEFAULT_POLICY, isEndpointState, readPolicy } from './policy.js';
import { endpointRow, groupRow, instanceRow, templateRow } from './rows.js';
import { type VastStore } from './store.js';
import { templateServer } from './template-server.js';

export interface VastParts {
  readonly store: VastStore;
  readonly engine: VastEngine;
  readonly cloud: Cloud;
  readonly options: VastOptions;
}

export const invalid = (msg: string): WireResponse => json(400, { success: false, error: 'invalid_args', msg });

const notAllowed = (): WireResponse => json(405, { success: false, error: 'method_not_allowed' });

/** `/api/v0/endptjobs/`: endpoints and their scaling policy. */
export function endpoints(parts: VastParts, request: WireRequest, id: number | undefined): WireResponse {
  const { store, options } = parts;
  const body = objectBody(request.body) ?? {};
  if (id !== undefined) {
    const endpoint = store.endpoints.get(id);
    if (endpoint) return oneEndpoint(parts, request, endpoint, body);
    return invalid(`${request.method === 'DELETE' ? 'Routegroup' : 'Endpointgroup'} not found for user`);
  }
  if (request.method === 'GET') {
    const rows = [...store.endpoints.values()].map(endpointRow);
    if (rows.length === 0 && options.emptyEndpointList === 'error') return invalid('No endpoints for user found');
    return json(200, { success: true, results: rows });
  }
  if (request.method !== 'POST') return notAllowed();
  const name = body['endpoint_name'] ?? 'default-endpoint';
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,255}$/.test(name))
    return invalid('endpoint_name: Value error, contains disallowed shell characters');
  const policy = readPolicy(body, DEFAULT_POLICY);
  if (typeof policy === 'string') return invalid(policy);
  return json(200, { success: true, result: store.addEndpoint(name, policy).id });
}

function oneEndpoint(parts: VastParts, { method }: WireRequest, endpoint: Endpoint, body: JsonObject): WireResponse {
  const { store, engine, options } = parts;
  if (method === 'GET') return json(200, { result: endpointRow(endpoint) });
  if (method === 'PUT') {
    const policy = readPolicy(body, options.putEndpoint === 'merge' ? endpoint.policy : DEFAULT_POLICY);
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

/** `/api/v0/workergroups/`, also known as `autojobs`. */
export function workergroups(parts: VastParts, request: WireRequest, id: number | undefined): WireResponse {
  const { store, options } = parts;
  const body = objectBody(request.body) ?? {};
  if (request.method === 'GET' && id === undefined) {
    const rows = [...store.groups.values()].map((group) =>
      groupRow(group, store.endpoints.get(group.endpointId)?.endpoint_name ?? ''),
    );
    return json(200, { success: true, results: rows });
  }
  if (request.method === 'POST' && id === undefined) {
    const endpoint = store.endpointBy(body['endpoint_id'], body['endpoint_name']);
    if (!endpoint) return invalid('Please assign your workergroup to a valid endpoint identifier');
    const created = newGroup(parts, endpoint.id, body);
    return 'kind' in created ? created : json(200, { success: true, [options.createWorkergroupId]: created.id });
  }
  const group = id === undefined ? undefined : store.groups.get(id);
  if (request.method === 'PUT')
    return group ? updateGroup(parts, group, body) : invalid('Workgroup not found for user');
  if (request.method !== 'DELETE') return notAllowed();
  if (!group)
    return json(404, { error: 'no_such_workergroup', msg: 'No workergroup by that id is available.', id: id ?? null });
  store.groups.delete(group.id);
  return deletion(parts, store.workersOf({ groupId: group.id }), 'Deleted workergroup');
}

function newGroup({ store, engine }: VastParts, endpointId: number, body: JsonObject): Workergroup | WireResponse {
  const template = store.templateBy(body['template_id'], body['template_hash']);
  if (!template) return invalid('invalid template hash or id or template not accessible by user');
  if (!('search_params' in body)) return invalid('search_params: Field required');
  const group: Workergroup = {
    id: store.nextId(),
    endpointId,
    template,
    searchText: searchText(body['search_params']),
    launchArgs: typeof body['launch_args'] === 'string' ? body['launch_args'] : '',
    gpuRamGb: typeof body['gpu_ram'] === 'number' ? body['gpu_ram'] : 24,
    inert: inertFields(body),
    api_key: store.secret(),
    createdAtMs: store.clock.nowMs(),
  };
  store.groups.set(group.id, group);
  engine.pokeWhenVisible();
  return group;
}

function updateGroup({ store, engine }: VastParts, group: Workergroup, body: JsonObject): WireResponse {
  if (!store.endpointBy(body['endpoint_id'], body['endpoint_name'])) return invalid('Missing endpoint ID');
  if ('template_id' in body || 'template_hash' in body) {
    const template = store.templateBy(body['template_id'], body['template_hash']);
    if (!template) return invalid('invalid template hash or id or template not accessible by user');
    group.template = template;
  }
  if ('search_params' in body) group.searchText = searchText(body['search_params']);
  if (typeof body['launch_args'] === 'string') group.launchArgs = body['launch_args'];
  if (typeof body['gpu_ram'] === 'number') group.gpuRamGb = body['gpu_ram'];
  Object.assign(group.inert, inertFields(body));
  engine.poke();
  return json(200, { success: true });
}

const inertFields = (body: JsonObject): Record<string, unknown> =>
  Object.fromEntries(
    ['test_workers', 'min_load', 'target_util', 'cold_mult', 'cold_workers', 'max_workers']
      .filter((name) => name in body)
      .map((name) => [name, body[name]]),
  );

function deletion({ engine, options }: VastParts, workers: readonly Worker[], what: string): WireResponse {
  const { deleted, failed } = engine.destroy(workers, options.failedOnDelete);
  return json(200, {
    success: true,
    deleted_workers: deleted,
    failed_workers: failed,
    msg: `${what} and ${deleted.length} workers`,
  });
}

/** `/api/v0/template/`. */
export function templates({ store, options }: VastParts, request: WireRequest): WireResponse {
  const body = objectBody(request.body) ?? {};
  const own = [...store.templates.values()];
  switch (request.method) {
    case 'GET': {
      const filters = objectBody(request.url.searchParams.get('select_filters') ?? '{}') ?? {};
      const rows = own
        .map((template): JsonObject => ({ ...templateRow(template) }))
        .filter((row) => passes(row, filters));
      return json(200, { success: true, templates_found: rows.length, templates: rows });
    }
    case 'POST': {
      if (typeof body['name'] !== 'string' || body['name'] === '') return invalid('Template name is required');
      const same = own.find((template) => template.fields['name'] === body['name']);
      const upsert = same && options.createTemplate === 'upsert-on-name';
      const { id, hash } = upsert ? store.putTemplate(body, same.id) : store.putTemplate(body);
      const msg = `Template Created Successfully! New Template ID: ${id}`;
      return json(200, { success: true, msg, template: { id, name: body['name'], hash_id: hash } });
    }
    case 'PUT': {
      const template = store.templateBy(undefined, body['hash_id']);
      if (!template) return json(404, { success: false, error: 'not_found', msg: 'Template not found' });
      const fields = { ...template.fields, ...body };
      const edited = store.putTemplate(fields, template.id);
      return json(200, { success: true, template: { id: edited.id, hash_id: edited.hash } });
    }
    case 'DELETE': {
      const id = body['template_id'];
      if (typeof id !== 'number') return invalid('template_id must be a number');
      return store.templates.delete(id)
        ? json(200, { success: true })
        : json(404, { success: false, error: 'not_found' });
    }
    default:
      return notAllowed();
  }
}

/** `{field: {op: value}}` filters. */
function passes(row: JsonObject, filters: JsonObject): boolean {
  return Object.entries(filters).every(([field, operations]) => {
    if (!isObject(operations)) return row[field] === operations;
    return Object.entries(operations).every(([operation, value]) => {
      if (operation === 'in') return Array.isArray(value) && value.includes(row[field]);
      if (operation === 'neq') return row[field] !== value;
      return operation === 'eq' ? row[field] === value : true;
    });
  });
}

/** `/api/v0/instances/` and `/api/v1/instances/`. */
export function instances(parts: VastParts, request: WireRequest, id: number | undefined): WireResponse {
  const { store, engine, options } = parts;
  const port = (worker: Worker): number => templateServer(worker.template, '', options.salt)?.port ?? 8000;
  if (id === undefined) {
    const rows = [...store.workers.values()]
      .filter(({ machine }) => machine !== null)
      .map((worker) => instanceRow(worker, port(worker)));
    return json(200, {
      success: true,
      instances_found: rows.length,
      total_instances: rows.length,
      label_counts: {},
      next_token: null,
      instances: rows,
    });
  }
  const worker = store.workers.get(id);
  if (!worker?.machine) return json(404, { success: false, error: 'not_found', msg: 'Instance not found' });
  if (request.method !== 'DELETE') return json(200, { instances: instanceRow(worker, port(worker)) });
  engine.destroy([worker], 0);
  return json(200, { success: true, msg: `Instance ${id} destroyed` });
}
