import { DATA_CENTERS, GPU_TYPES, type DataCenter, type GpuType } from '../cloud/gpus.js';
import { type Prices } from '../cloud/prices.js';
import { type LevelLook, type Stock, type Tier } from '../cloud/stock.js';
import { json, type WireResponse } from '../http/wire.js';
import { parseQuery, type CatalogQuery } from './catalog-query.js';
import { problem } from './rules.js';

/** What is shown of stock and price. */
export interface Shelf {
  readonly stock: Stock;
  readonly prices: Prices;
}

/** `GET /v2/catalog/gpus`, for one id or for all. */
export function gpus(shelf: Shelf, parameters: URLSearchParams, id?: string): WireResponse {
  const query = parseQuery(parameters);
  if ('kind' in query) return query;
  if (id !== undefined) {
    const type = GPU_TYPES.find((candidate) => candidate.id === id);
    return type ? json(200, row(shelf, type, query)) : problem(404, 'Not Found', 'resource not found');
  }
  const centers = placesOf(query);
  const listed = GPU_TYPES.filter(
    (type) => query.countries === null || offering(shelf.stock, type, centers, query).length > 0,
  );
  return json(200, { gpus: listed.map((type) => row(shelf, type, query)) });
}

const REGIONS = new Set(
  'NORTH_AMERICA SOUTH_AMERICA EUROPE ASIA MIDDLE_EAST AFRICA OCEANIA ANTARCTICA UNKNOWN'.split(' '),
);

/** `GET /v2/catalog/datacenters`, for one id or for all. It knows no product, count or cloud: its levels are weaker. */
export function datacenters({ stock }: Shelf, parameters: URLSearchParams, id?: string): WireResponse {
  const wanted = parameters.get('regions')?.split(',');
  const unknown = wanted?.find((region) => !REGIONS.has(region));
  if (unknown !== undefined)
    return problem(422, 'Unprocessable Entity', 'Request validation failed.', [`regions: unknown "${unknown}"`]);
  const withStock = (parameters.get('include') ?? '').split(',').includes('GPU_AVAILABILITY');
  const looks = new Map(GPU_TYPES.map((type) => [type.id, stock.look('runpod', type.id)]));
  const rows = DATA_CENTERS.filter((center) => id === undefined || center.id === id)
    .filter((center) => wanted === undefined || wanted.includes(center.region))
    .map((center) => ({
      id: center.id,
      name: center.name,
      region: center.region,
      countryCode: center.country,
      ...(withStock
        ? {
            gpuAvailability: GPU_TYPES.map((type) => ({
              id: type.id,
              name: type.name,
              availability: looks.get(type.id)?.([center.id], 1) ?? 'NONE',
            })),
          }
        : {}),
    }));
  if (id === undefined) return json(200, { dataCenters: rows });
  return rows[0] ? json(200, rows[0]) : problem(404, 'Not Found', 'resource not found');
}

const placesOf = ({ countries }: CatalogQuery): readonly DataCenter[] =>
  DATA_CENTERS.filter((center) => countries === null || countries.includes(center.country));

export const maxCountOf = ({ maxCount }: GpuType, tier: Tier): number =>
  tier === 'SECURE' ? maxCount : Math.ceil(maxCount / 2);

const offering = (
  stock: Stock,
  type: GpuType,
  centers: readonly DataCenter[],
  { count, cloud }: CatalogQuery,
): readonly DataCenter[] =>
  count > maxCountOf(type, cloud)
    ? []
    : centers.filter((center) => stock.freeAt('runpod', type.id, center.id, cloud) >= count);

const CUDA_VERSIONS = ['12.8', '12.4'];

function row({ stock, prices }: Shelf, type: GpuType, query: CatalogQuery): object {
  const list = prices.list('runpod', type);
  const base = {
    id: type.id,
    name: type.name,
    pool: type.pool,
    manufacturer: type.manufacturer,
    memory: type.memoryGb,
    secure: true,
    community: true,
    price: {
      secure: list.secure,
      community: list.community,
      ...(type.pool === null || list.serverless === null ? {} : { serverless: list.serverless }),
    },
    maxCount: { secure: maxCountOf(type, 'SECURE'), community: maxCountOf(type, 'COMMUNITY') },
  };
  if (!query.availability) return base;
  const centers = placesOf(query);
  const offers = offering(stock, type, centers, query);
  const level = levelOf(stock.look('runpod', type.id), type, query);
  return {
    ...base,
    availability: level(centers),
    ...(offers.length > 0
      ? { dataCenters: offers.map((center) => ({ id: center.id, name: center.name, availability: level([center]) })) }
      : {}),
    cudaVersions: CUDA_VERSIONS.map((version) => ({ version, available: query.allowsCuda(version) })),
  };
}

/** No machine has more than the largest, whatever the level says: the question is answered with `NONE`. */
const levelOf =
  (look: LevelLook, type: GpuType, { count, cloud }: CatalogQuery) =>
  (centers: readonly DataCenter[]): string =>
    count > maxCountOf(type, cloud)
      ? 'NONE'
      : look(
          centers.map(({ id }) => id),
          count,
          [cloud],
        );
