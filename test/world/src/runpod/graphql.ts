import { DATA_CENTERS, GPU_TYPES, type GpuType } from '../cloud/gpus.js';
import { type Stock } from '../cloud/stock.js';
import { isObject, json, objectBody, type JsonObject, type WireRequest, type WireResponse } from '../http/wire.js';

/** `POST /graphql`, as far as stock goes: `gpuTypes` with `lowestPrice`, and `dataCenters`. It needs no key. */
export function graphql(stock: Stock, request: WireRequest): WireResponse {
  const body = objectBody(request.body);
  const query = body?.['query'];
  if (typeof query !== 'string') return json(400, { errors: [{ message: 'Must provide query string.' }] });
  const variables = isObject(body?.['variables']) ? body['variables'] : {};
  if (/\bdataCenters\b/.test(query)) return json(200, { data: { dataCenters: dataCenters(stock) } });
  if (!/\bgpuTypes\b/.test(query))
    return json(200, { errors: [{ message: 'Cannot query field.', extensions: { code: 'RUNPOD' } }], data: null });
  const filter = argument(query, 'gpuTypes', variables);
  const price = argument(query, 'lowestPrice', variables);
  const types = GPU_TYPES.filter((type) => selected(type, filter));
  return json(200, { data: { gpuTypes: types.map((type) => gpuType(stock, type, price)) } });
}

function selected(type: GpuType, filter: JsonObject): boolean {
  const { id, ids } = filter;
  if (typeof id === 'string' && type.id !== id) return false;
  return !Array.isArray(ids) || ids.includes(type.id);
}

function gpuType(stock: Stock, type: GpuType, price: JsonObject): object {
  return {
    id: type.id,
    displayName: type.name,
    manufacturer: type.manufacturer,
    memoryInGb: type.memoryGb,
    secureCloud: true,
    communityCloud: true,
    securePrice: type.securePrice,
    communityPrice: type.communityPrice,
    maxGpuCount: type.maxCount,
    maxGpuCountSecureCloud: type.maxCount,
    maxGpuCountCommunityCloud: Math.ceil(type.maxCount / 2),
    lowestPrice: lowestPrice(stock, type, price),
  };
}

function lowestPrice(stock: Stock, type: GpuType, input: JsonObject): object {
  const count = typeof input['gpuCount'] === 'number' ? input['gpuCount'] : 1;
  const places = DATA_CENTERS.filter(({ id, country }) => {
    const { dataCenterId, countryCode } = input;
    return (
      (typeof dataCenterId !== 'string' || id === dataCenterId) &&
      (typeof countryCode !== 'string' || country === countryCode)
    );
  }).map(({ id }) => id);
  const level = count > type.maxCount ? 'NONE' : stock.level('runpod', type.id, places, count);
  const most = Math.max(0, ...places.map((place) => stock.freeAt('runpod', type.id, place)));
  if (level === 'NONE')
    return { stockStatus: null, uninterruptablePrice: null, minimumBidPrice: null, availableGpuCounts: null };
  return {
    stockStatus: level.charAt(0) + level.slice(1).toLowerCase(),
    uninterruptablePrice: type.securePrice,
    minimumBidPrice: type.securePrice / 2,
    availableGpuCounts: Array.from({ length: Math.min(most, type.maxCount) }, (_, index) => index + 1),
    maxGpuCount: type.maxCount,
  };
}

const dataCenters = (stock: Stock): readonly object[] =>
  DATA_CENTERS.map((center) => ({
    id: center.id,
    name: center.name,
    location: center.country,
    listed: true,
    gpuAvailability: GPU_TYPES.map((type) => {
      const level = stock.level('runpod', type.id, [center.id], 1);
      return {
        gpuTypeId: type.id,
        displayName: type.name,
        stockStatus: level === 'NONE' ? null : level.charAt(0) + level.slice(1).toLowerCase(),
        available: level !== 'NONE',
      };
    }),
  }));

/** The `input` of a field, whether written out or given as a variable. */
function argument(query: string, field: string, variables: JsonObject): JsonObject {
  const written = new RegExp(`\\b${field}\\s*\\(\\s*input\\s*:\\s*(\\$\\w+|\\{[^}]*\\})`).exec(query)?.[1];
  if (written === undefined) return {};
  if (written.startsWith('$')) {
    const given = variables[written.slice(1)];
    return isObject(given) ? given : {};
  }
  const pairs = [...written.matchAll(/(\w+)\s*:\s*("[^"]*"|\$\w+|\[[^\]]*\]|[\w.]+)/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, literal(value, variables)]));
}

function literal(value: string, variables: JsonObject): unknown {
  if (value.startsWith('$')) return variables[value.slice(1)];
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
