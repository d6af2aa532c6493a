import { isObject, type JsonObject } from '../http/wire.js';

export const SCOPES = [
  'instance_read',
  'instance_write',
  'user_read',
  'user_write',
  'billing_read',
  'billing_write',
  'machine_read',
  'machine_write',
  'misc',
  'team_read',
  'team_write',
] as const;
/** A permission group of Vast's API. */
export type Scope = (typeof SCOPES)[number];

export const isScope = (value: unknown): value is Scope => SCOPES.some((scope) => scope === value);

/** The permission group that a console route needs: reading and writing, where they differ. */
const NEEDED: Readonly<Record<string, readonly [read: Scope, write: Scope]>> = {
  endptjobs: ['misc', 'misc'],
  workergroups: ['misc', 'misc'],
  bundles: ['misc', 'misc'],
  benchmarks: ['misc', 'misc'],
  'serverless/metrics': ['misc', 'misc'],
  template: ['user_read', 'user_write'],
  'users/current': ['user_read', 'user_write'],
  'auth/apikeys': ['user_read', 'user_write'],
  'serverless/endpoints': ['user_read', 'user_write'],
  'serverless/workergroups': ['user_read', 'user_write'],
  instances: ['instance_read', 'instance_write'],
  'instances/request_logs': ['instance_read', 'instance_read'],
  charges: ['billing_read', 'billing_write'],
};

export const scopeOf = (resource: string, method: string): Scope | undefined =>
  NEEDED[resource]?.[method === 'GET' ? 0 : 1];

/** What a created key may do: `{"api": {"<group>": {} | {"<route>": {"constraints": {"id": {"eq": 1}}}}}}`. */
export type Permissions = JsonObject;

/** Whether a body holds permissions; the text is the `error` of the refusal. */
export function permissionsProblem(value: unknown): 'missing_permissions' | 'invalid_permissions' | undefined {
  if (value === undefined || value === null) return 'missing_permissions';
  const api = isObject(value) ? value['api'] : undefined;
  if (!isObject(api)) return 'invalid_permissions';
  return Object.keys(api).every(isScope) ? undefined : 'invalid_permissions';
}

/** Whether permissions hold a group, and for routes with constraints whether the id in the path passes them. */
export function permits(permissions: Permissions, scope: Scope, id: number | undefined): boolean {
  const api = permissions['api'];
  const group = isObject(api) ? api[scope] : undefined;
  if (!isObject(group)) return false;
  const routes = Object.values(group).filter(isObject);
  return routes.length === 0 || routes.some((route) => passesConstraints(route['constraints'], id));
}

function passesConstraints(constraints: unknown, id: number | undefined): boolean {
  const onId = isObject(constraints) ? constraints['id'] : undefined;
  if (!isObject(onId)) return true;
  if (id === undefined) return false;
  const { eq, lte, gte } = onId;
  return (
    (typeof eq !== 'number' || id === eq) &&
    (typeof lte !== 'number' || id <= lte) &&
    (typeof gte !== 'number' || id >= gte)
  );
}
