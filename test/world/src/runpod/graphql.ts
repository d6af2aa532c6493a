import { DATA_CENTERS, GPU_TYPES, type GpuType } from '../cloud/gpus.js';
import { type Tier } from '../cloud/stock.js';
import { isObject, json, objectBody, type JsonObject, type WireRequest, type WireResponse } from '../http/wire.js';
import { maxCountOf, type Shelf } from './catalog.js';
import { GraphqlSyntaxError, parseOperation, type Field } from './graphql-document.js';
import { type RunPodOptions } from './rules.js';

type Wording = Pick<RunPodOptions, 'lowestPriceOfNone' | 'noStockStatus' | 'listsUnknownType'>;
type Leaf = string | number | boolean | null | readonly number[];
/** A member is a value, or what follows from the `input` that the field is asked with. */
interface Node {
  readonly [field: string]: Leaf | readonly Node[] | ((input: JsonObject) => Node | readonly Node[] | null);
}

/** `POST /graphql`, as far as stock goes: `gpuTypes` with `lowestPrice`, and `dataCenters`. It needs no key. */
export function graphql(shelf: Shelf, wording: Wording, request: WireRequest): WireResponse {
  const body = objectBody(request.body);
  const query = body?.['query'];
  if (typeof query !== 'string') return failed(400, 'Must provide query string.', 'BAD_REQUEST');
  const variables = isObject(body?.['variables']) ? body['variables'] : {};
  try {
    const root: Node = {
      gpuTypes: (filter) => gpuTypes(shelf, wording, filter),
      dataCenters: () => dataCenters(shelf, wording),
    };
    return json(200, { data: answer(root, parseOperation(query, variables), 'Query') });
  } catch (error) {
    if (error instanceof GraphqlSyntaxError)
      return failed(400, `Syntax Error: ${error.message}`, 'GRAPHQL_PARSE_FAILED');
    if (error instanceof UnknownField) return failed(400, error.message, 'GRAPHQL_VALIDATION_FAILED');
    throw error;
  }
}

const failed = (status: number, message: string, code: string): WireResponse =>
  json(status, { errors: [{ message, extensions: { code } }] });

class UnknownField extends Error {}

/** What was asked for of a node, and nothing else: who forgets to ask for a field does not get it. */
function answer(node: Node, fields: readonly Field[], type: string): object {
  return Object.fromEntries<unknown>(
    fields.map(({ name, alias, args, selection }) => {
      const member = node[name];
      if (member === undefined) throw new UnknownField(`Cannot query field "${name}" on type "${type}".`);
      const value = typeof member === 'function' ? member(isObject(args['input']) ? args['input'] : {}) : member;
      if (selection === null) {
        if (typeof member === 'function' || (isNodes(value) && value.length > 0))
          throw new UnknownField(`Field "${name}" must have a selection of subfields.`);
        return [alias, value];
      }
      if (isNodes(value)) return [alias, value.map((item) => answer(item, selection, name))];
      return [alias, isNode(value) ? answer(value, selection, name) : null];
    }),
  );
}

const isNodes = (value: unknown): value is readonly Node[] => Array.isArray(value) && value.every(isObject);
const isNode = (value: unknown): value is Node => isObject(value);

function gpuTypes(shelf: Shelf, wording: Wording, { id, ids }: JsonObject): readonly Node[] {
  const types = GPU_TYPES.filter(
    (type) => (typeof id !== 'string' || type.id === id) && (!Array.isArray(ids) || ids.includes(type.id)),
  ).map((type) => gpuType(shelf, wording, type));
  const [first] = types;
  const everything = typeof id !== 'string' && !Array.isArray(ids);
  return first && everything && wording.listsUnknownType ? [...types, unknownType(first)] : types;
}

/** Stands in the real list without meaning anything. */
const unknownType = (like: Node): Node => ({
  ...Object.fromEntries(Object.keys(like).map((field) => [field, null])),
  id: 'unknown',
  displayName: 'unknown',
  lowestPrice: () => null,
  nodeGroupDatacenters: [],
});

function gpuType({ stock, prices }: Shelf, wording: Wording, type: GpuType): Node {
  const list = prices.list('runpod', type);
  return {
    id: type.id,
    displayName: type.name,
    manufacturer: type.manufacturer,
    memoryInGb: type.memoryGb,
    cudaCores: 0,
    secureCloud: true,
    communityCloud: true,
    securePrice: list.secure,
    communityPrice: list.community,
    secureSpotPrice: list.secureSpot,
    communitySpotPrice: list.communitySpot,
    oneWeekPrice: null,
    oneMonthPrice: null,
    threeMonthPrice: null,
    sixMonthPrice: null,
    clusterPrice: null,
    maxGpuCount: type.maxCount,
    maxGpuCountSecureCloud: maxCountOf(type, 'SECURE'),
    maxGpuCountCommunityCloud: maxCountOf(type, 'COMMUNITY'),
    minPodGpuCount: 1,
    nodeGroupDatacenters: DATA_CENTERS.map(({ id }) => ({ id })),
    lowestPrice: (input) => lowestPrice({ stock, prices }, wording, type, input),
  };
}

function lowestPrice({ stock, prices }: Shelf, wording: Wording, type: GpuType, input: JsonObject): Node | null {
  const { dataCenterId, countryCode, secureCloud } = input;
  const count = typeof input['gpuCount'] === 'number' ? input['gpuCount'] : 1;
  const tiers: readonly Tier[] =
    typeof secureCloud === 'boolean' ? [secureCloud ? 'SECURE' : 'COMMUNITY'] : ['SECURE', 'COMMUNITY'];
  const places = DATA_CENTERS.filter(
    ({ id, country }) =>
      (typeof dataCenterId !== 'string' || id === dataCenterId) &&
      (typeof countryCode !== 'string' || country === countryCode),
  ).map(({ id }) => id);
  const fitting = tiers.filter((tier) => count <= maxCountOf(type, tier));
  const level = fitting.length === 0 ? 'NONE' : stock.look('runpod', type.id)(places, count, fitting);
  if (level === 'NONE') return nothing(wording);
  const most = Math.max(
    0,
    ...fitting.flatMap((tier) => places.map((place) => stock.freeAt('runpod', type.id, place, tier))),
  );
  const lowest = (spot: boolean): number | null => {
    const known = fitting.map((tier) => prices.of('runpod', type, tier, spot)).filter((price) => price !== null);
    return known.length === 0 ? null : Math.min(...known);
  };
  return {
    stockStatus: titleCase(level),
    uninterruptablePrice: lowest(false),
    minimumBidPrice: lowest(true),
    availableGpuCounts: Array.from({ length: Math.min(most, type.maxCount) }, (_, index) => index + 1),
    maxGpuCount: type.maxCount,
    maxUnreservedGpuCount: Math.min(most, type.maxCount),
    totalCount: null,
    rentedCount: null,
    rentalPercentage: null,
    minVcpu: 4 * count,
    minMemory: 16 * count,
    gpuName: type.name,
    gpuTypeId: type.id,
    countryCode: typeof countryCode === 'string' ? countryCode : null,
  };
}

function nothing({ lowestPriceOfNone, noStockStatus }: Wording): Node | null {
  if (lowestPriceOfNone === 'null') return null;
  return { ...NO_PRICE, stockStatus: noStockStatus === 'null' ? null : noStockStatus };
}

const NO_PRICE: Node = Object.fromEntries(
  (
    'stockStatus uninterruptablePrice minimumBidPrice availableGpuCounts maxGpuCount maxUnreservedGpuCount totalCount ' +
    'rentedCount rentalPercentage minVcpu minMemory gpuName gpuTypeId countryCode'
  )
    .split(' ')
    .map((field) => [field, null]),
);

/** `HIGH` → `High`; a word of several parts stays as it is. */
const titleCase = (level: string): string =>
  /^[A-Z]+$/.test(level) ? level.charAt(0) + level.slice(1).toLowerCase() : level;

function dataCenters({ stock }: Shelf, { noStockStatus }: Wording): readonly Node[] {
  const looks = GPU_TYPES.map((type) => [type, stock.look('runpod', type.id)] as const);
  return DATA_CENTERS.map((center) => ({
    id: center.id,
    name: center.name,
    location: center.country,
    listed: true,
    gpuAvailability: () =>
      looks.map(([type, look]) => {
        const level = look([center.id], 1);
        return {
          gpuTypeId: type.id,
          displayName: type.name,
          stockStatus: level !== 'NONE' ? titleCase(level) : noStockStatus === 'null' ? null : noStockStatus,
          available: level !== 'NONE',
        };
      }),
  }));
}
