import { DATA_CENTERS, GPU_TYPES, type DataCenter, type GpuType } from '../cloud/gpus.js';
import { type Stock } from '../cloud/stock.js';
import { json, type WireResponse } from '../http/wire.js';
import { problem } from './rules.js';

const PRODUCTS = new Set(['POD', 'CLUSTER', 'SERVERLESS']);
const AVAILABILITY_ONLY = ['count', 'cloud', 'countryCodes', 'cudaVersions', 'minCudaVersion'];
const CUDA_VERSIONS = ['12.4', '12.8'];

interface Query {
  readonly availability: boolean;
  readonly count: number;
  readonly cloud: 'SECURE' | 'COMMUNITY';
  readonly countries: readonly string[] | null;
}

/** `GET /v2/catalog/gpus`, for one id or for all. */
export function gpus(stock: Stock, parameters: URLSearchParams, id?: string): WireResponse {
  const query = parseQuery(parameters);
  if ('kind' in query) return query;
  if (id !== undefined) {
    const type = GPU_TYPES.find((candidate) => candidate.id === id);
    return type ? json(200, row(stock, type, query)) : problem(404, 'Not Found', 'resource not found');
  }
  const centers = placesOf(query);
  const listed = GPU_TYPES.filter(
    (type) => query.countries === null || offering(stock, type, centers, query.count).length > 0,
  );
  return json(200, { gpus: listed.map((type) => row(stock, type, query)) });
}

/** `GET /v2/catalog/datacenters`, for one id or for all. */
export function datacenters(stock: Stock, parameters: URLSearchParams, id?: string): WireResponse {
  const wanted = parameters.get('regions')?.split(',');
  const withStock = (parameters.get('include') ?? '').split(',').includes('GPU_AVAILABILITY');
  const rows = DATA_CENTERS.filter((center) => id === undefined || center.id === id)
    .filter((center) => wanted === undefined || wanted.includes(center.region))
    .map((center) => ({
      id: center.id,
      name: center.name,
      region: center.region,
      countryCode: center.country,
      ...(withStock ? { gpuAvailability: GPU_TYPES.map((type) => siteStock(stock, type, center)) } : {}),
    }));
  if (id === undefined) return json(200, { dataCenters: rows });
  return rows[0] ? json(200, rows[0]) : problem(404, 'Not Found', 'resource not found');
}

const siteStock = (stock: Stock, type: GpuType, center: DataCenter): object => ({
  id: type.id,
  name: type.name,
  availability: stock.level('runpod', type.id, [center.id], 1),
});

const bad = (detail: string): WireResponse => problem(400, 'Bad Request', detail);

function parseQuery(parameters: URLSearchParams): Query | WireResponse {
  const availability = (parameters.get('include') ?? '').split(',').includes('AVAILABILITY');
  const misused = misuse(parameters, availability);
  if (misused !== undefined) return bad(misused);
  const count = Number(parameters.get('count') ?? '1');
  if (!Number.isInteger(count) || count < 1) return bad('count must be an integer of at least 1');
  const cloud = parameters.get('cloud') ?? 'SECURE';
  if (cloud !== 'SECURE' && cloud !== 'COMMUNITY') return bad('cloud must be SECURE or COMMUNITY');
  const countries = parameters.get('countryCodes')?.split(',') ?? null;
  if (countries?.some((code) => !/^[A-Z]{2}$/.test(code)))
    return problem(422, 'Unprocessable Entity', 'Request validation failed.', ['countryCodes: must be ISO alpha-2']);
  return { availability, count, cloud, countries };
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

const placesOf = ({ countries }: Query): readonly DataCenter[] =>
  DATA_CENTERS.filter((center) => countries === null || countries.includes(center.country));

const offering = (stock: Stock, type: GpuType, centers: readonly DataCenter[], count: number): readonly DataCenter[] =>
  count > type.maxCount ? [] : centers.filter((center) => stock.freeAt('runpod', type.id, center.id) >= count);

function row(stock: Stock, type: GpuType, query: Query): object {
  const base = {
    id: type.id,
    name: type.name,
    pool: type.pool,
    manufacturer: type.manufacturer,
    memory: type.memoryGb,
    secure: true,
    community: true,
    price: { secure: type.securePrice, community: type.communityPrice },
    maxCount: { secure: type.maxCount, community: Math.ceil(type.maxCount / 2) },
  };
  if (!query.availability) return base;
  const centers = placesOf(query);
  const offers = offering(stock, type, centers, query.count);
  const level = (places: readonly DataCenter[]): string =>
    query.count > type.maxCount
      ? 'NONE'
      : stock.level(
          'runpod',
          type.id,
          places.map(({ id }) => id),
          query.count,
        );
  return {
    ...base,
    availability: level(centers),
    ...(offers.length > 0
      ? { dataCenters: offers.map((center) => ({ id: center.id, name: center.name, availability: level([center]) })) }
      : {}),
    cudaVersions: CUDA_VERSIONS.map((version) => ({ version, available: true })),
  };
}
