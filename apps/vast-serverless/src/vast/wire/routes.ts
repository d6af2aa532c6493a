/** Permission groups of a Vast key. Source: Vast's guide to API keys and its permission file, August 2026. */
export type Permission =
  'misc' | 'user_read' | 'user_write' | 'instance_read' | 'instance_write' | 'billing_read' | 'engine';

/**
 * Which of the keys a call travels with. Each is for its own need, and none stands in for another: a template author's key
 * can make further keys, and an emergency key can end any instance.
 */
export type KeyName = 'rollout' | 'templates' | 'emergency';

export interface RouteRule {
  /** Least seconds between two calls; null where none is published. */
  readonly seconds: number | null;
  /** `engine`: the run host checks keys itself, and no group of permissions is documented for it. */
  readonly permission: Permission;
}

/**
 * Every call that is made, with its published interval and the permission that it needs. Source: `x-rate-limit` of Vast's
 * OpenAPI description and its permission file, August 2026; worker lists from a user's report; offer searches are ten a
 * minute.
 */
export const ROUTES = {
  'GET endptjobs': { seconds: 3, permission: 'misc' },
  'POST endptjobs': { seconds: 4, permission: 'misc' },
  'PUT endptjobs': { seconds: 2, permission: 'misc' },
  'DELETE endptjobs': { seconds: 3, permission: 'misc' },
  'GET workergroups': { seconds: 2, permission: 'misc' },
  'POST workergroups': { seconds: 4, permission: 'misc' },
  'PUT workergroups': { seconds: 2, permission: 'misc' },
  'DELETE workergroups': { seconds: 3, permission: 'misc' },
  'POST bundles': { seconds: 6, permission: 'misc' },
  'GET template': { seconds: 3, permission: 'user_read' },
  'POST template': { seconds: null, permission: 'user_write' },
  'DELETE template': { seconds: null, permission: 'user_write' },
  'GET instances': { seconds: 1, permission: 'instance_read' },
  'GET instance': { seconds: 2, permission: 'instance_read' },
  'DELETE instance': { seconds: 3, permission: 'instance_write' },
  'GET charges': { seconds: 1, permission: 'billing_read' },
  'GET users': { seconds: null, permission: 'user_read' },
  'GET apikeys': { seconds: 1, permission: 'user_read' },
  'POST get_endpoint_workers': { seconds: 0.5, permission: 'engine' },
  'POST get_workergroup_workers': { seconds: 0.5, permission: 'engine' },
  'POST get_endpoint_logs': { seconds: null, permission: 'engine' },
  'POST get_workergroup_logs': { seconds: null, permission: 'engine' },
  'POST update_workers': { seconds: null, permission: 'engine' },
  'POST route': { seconds: null, permission: 'engine' },
} as const satisfies Readonly<Record<string, RouteRule>>;

export type Route = keyof typeof ROUTES;

/** The key that a call travels with follows from what it needs. */
export function keyOf(route: Route): KeyName {
  switch (ROUTES[route].permission) {
    case 'user_write':
      return 'templates';
    case 'instance_write':
      return 'emergency';
    default:
      return 'rollout';
  }
}
