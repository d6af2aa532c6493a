import { type Tier } from '../cloud/stock.js';
import { type WireResponse } from '../http/wire.js';
import { problem } from './rules.js';

const PRODUCTS = new Set(['POD', 'CLUSTER', 'SERVERLESS']);
const AVAILABILITY_ONLY = ['count', 'cloud', 'countryCodes', 'cudaVersions', 'minCudaVersion'];

/** What `GET /v2/catalog/gpus` was asked. */
export interface CatalogQuery {
  readonly availability: boolean;
  readonly count: number;
  readonly cloud: Tier;
  readonly countries: readonly string[] | null;
  readonly allowsCuda: (version: string) => boolean;
}

const bad = (detail: string): WireResponse => problem(400, 'Bad Request', detail);
const invalid = (field: string, rule: string): WireResponse =>
  problem(422, 'Unprocessable Entity', 'Request validation failed.', [`${field}: ${rule}`]);

/** Reads the parameters, or refuses them as RunPod does: 400 for what does not go together, 422 for what is malformed. */
export function parseQuery(parameters: URLSearchParams): CatalogQuery | WireResponse {
  const included = parameters.get('include')?.split(',') ?? [];
  if (included.some((part) => part !== 'AVAILABILITY')) return invalid('include', 'must be AVAILABILITY');
  const availability = included.length > 0;
  const misused = misuse(parameters, availability);
  if (misused !== undefined) return bad(misused);
  const count = Number(parameters.get('count') ?? '1');
  if (!Number.isInteger(count) || count < 1) return bad('count must be an integer of at least 1');
  const cloud = parameters.get('cloud') ?? 'SECURE';
  if (cloud !== 'SECURE' && cloud !== 'COMMUNITY') return bad('cloud must be SECURE or COMMUNITY');
  const countries = parameters.get('countryCodes')?.split(',') ?? null;
  if (countries?.some((code) => !/^[A-Z]{2}$/.test(code))) return invalid('countryCodes', 'must be ISO alpha-2');
  const exact = parameters.get('cudaVersions')?.split(',');
  if (exact?.some((version) => !/^\d+\.\d+$/.test(version))) return invalid('cudaVersions', 'must be major.minor');
  const least = parameters.get('minCudaVersion');
  if (least !== null && !/^\d+(\.\d+)?$/.test(least)) return invalid('minCudaVersion', 'must be major or major.minor');
  const allowsCuda = (version: string): boolean =>
    exact ? exact.includes(version) : least === null || Number(version) >= Number(least);
  return { availability, count, cloud, countries, allowsCuda };
}

/** Parameters that do not go together. */
function misuse(parameters: URLSearchParams, availability: boolean): string | undefined {
  const products = parameters.get('product')?.split(',');
  if (availability && !products) return 'product is required with include=AVAILABILITY';
  if (!availability && products) return 'product needs include=AVAILABILITY';
  if (products?.some((product) => !PRODUCTS.has(product))) return 'product must be POD, CLUSTER or SERVERLESS';
  const stray = AVAILABILITY_ONLY.find((name) => !availability && parameters.has(name));
  if (stray !== undefined) return `${stray} needs include=AVAILABILITY`;
  if (parameters.has('cudaVersions') && parameters.has('minCudaVersion'))
    return 'cudaVersions and minCudaVersion exclude each other';
  return undefined;
}
