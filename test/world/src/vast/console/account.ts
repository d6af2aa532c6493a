import { json, objectBody, type JsonObject, type WireResponse } from '../../http/wire.js';
import { type CreatedKey } from '../keys.js';
import { invalid, notAllowed, notFound, timeOf, type ConsoleCall, type VastParts } from '../parts.js';
import { permissionsProblem } from '../scopes.js';
import { USER_ID } from './rows.js';

/** `GET /api/v0/users/current/`: personal data, and secrets among them. */
export function currentUser({ engine, store }: VastParts, { request, holder }: ConsoleCall): WireResponse {
  if (request.method !== 'GET') return notAllowed();
  const credit = engine.credit();
  return json(200, {
    id: USER_ID,
    key_id: Number(holder.keyId),
    email: 'operator@example.org',
    balance: 0,
    credit,
    ssh_key: `ssh-ed25519 ${store.canary('ssh key of the account')} operator`,
    sid: store.canary('session of the account'),
  });
}

/** `/api/v0/auth/apikeys/`: the secret of a key is shown once, when it is made. */
export function apiKeys(parts: VastParts, { request, holder, id }: ConsoleCall): WireResponse {
  const { keys, options } = parts;
  const row = (key: CreatedKey): JsonObject => ({
    ...{ id: key.id, name: key.name, permissions: key.permissions, user_id: USER_ID },
    created_at: timeOf(options, key.createdAtMs),
  });
  const key = id === undefined ? undefined : keys.created.get(id);
  switch (request.method) {
    case 'GET':
      if (id === undefined) return json(200, { success: true, apikeys: [...keys.created.values()].map(row) });
      return key ? json(200, row(key)) : notFound('API key not found');
    case 'POST': {
      if (holder.permissions !== null) return invalid('Only an admin key can create API keys');
      const body = objectBody(request.body) ?? {};
      const problem = permissionsProblem(body['permissions']);
      if (problem) return json(400, { success: false, error: problem, msg: problem.replace('_', ' ') });
      const name = typeof body['name'] === 'string' ? body['name'] : '';
      const created = keys.create(name, body['permissions'] as JsonObject); // an object, by the check before
      return json(200, { id: created.id, key: created.secret, permissions: created.permissions });
    }
    case 'DELETE':
      if (id === undefined || !keys.created.delete(id)) return notFound('API key not found');
      return json(200, { success: true, msg: 'Successfully Deleted API Key' });
    default:
      return notAllowed();
  }
}

/** `GET /api/v0/benchmarks/`: what was measured, for every user. */
export function benchmarks({ store }: VastParts, { request }: ConsoleCall): WireResponse {
  if (request.method !== 'GET') return notAllowed();
  const results = store.benchmarks.map(({ id, template, gpuName, gpuCount, value, atMs }) => ({
    ...{ id, type: 'perf', gpu_name: gpuName, num_gpus: gpuCount, template_id: template.id },
    ...{ template_hash: template.hash, value, last_update: atMs / 1000 },
  }));
  return json(200, { success: true, results });
}
