import { type JsonObject } from '../../http/wire.js';
import { type EndpointPolicy, type EndpointState } from '../entities.js';
import { type VastOptions } from '../options.js';

export const DEFAULT_POLICY: EndpointPolicy = {
  min_load: 10,
  min_cold_load: 0,
  target_util: 0.9,
  cold_mult: 2.5,
  cold_workers: 5,
  max_workers: 20,
  max_queue_time: 30,
  target_queue_time: 10,
  inactivity_timeout: null,
};

export const POLICY_FIELDS = Object.keys(DEFAULT_POLICY) as (keyof EndpointPolicy)[]; // keys of a literal of that very type

type PutMode = VastOptions['putEndpoint'];

/** The policy in a body laid over another; the text says what is wrong with it. */
export function readPolicy(
  body: JsonObject,
  present: EndpointPolicy,
  mode: PutMode = 'merge',
): EndpointPolicy | string {
  const policy: EndpointPolicy = { ...(mode === 'reset-omitted' ? DEFAULT_POLICY : present) };
  for (const field of POLICY_FIELDS) {
    const given = body[field];
    if (given === null && mode === 'null-means-default') Object.assign(policy, { [field]: DEFAULT_POLICY[field] });
    if (given === undefined || given === null) continue;
    const value = typeof given === 'string' ? Number(given) : given;
    if (typeof value !== 'number' || !Number.isFinite(value)) return `${field}: Value error, not a number`;
    if (value < 0 && field !== 'inactivity_timeout') return `${field}: Value error, must not be negative`;
    policy[field] = value;
  }
  if (policy.target_util <= 0 || policy.target_util > 1)
    return 'target_util: Value error, must be above 0 and at most 1';
  return policy;
}

export const isEndpointState = (value: unknown): value is EndpointState =>
  value === 'active' || value === 'suspended' || value === 'stopped';
