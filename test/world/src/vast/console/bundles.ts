import { type Cloud } from '../../cloud/cloud.js';
import { GPU_TYPES, type GpuType } from '../../cloud/gpus.js';
import { marketMachine, storageHourly } from '../../cloud/marketplace.js';
import { dollars } from '../../cloud/prices.js';
import { isObject, json, objectBody, type JsonObject, type WireRequest, type WireResponse } from '../../http/wire.js';

const MARKETS = ['ondemand', 'on-demand', 'bid', 'reserved'];
/** Of the API; the vendor's command line asks with 5. */
const DEFAULT_STORAGE_GB = 8;
const DEFAULT_LIMIT = 64;
const COUNTS = [1, 2, 4, 8];
/** What the least accepted bid is of the price on demand. */
const BID_SHARE = 0.45;
const DAY_S = 86_400;

const STANDARD_FILTERS: JsonObject = {
  verified: { eq: true },
  rentable: { eq: true },
  rented: { eq: false },
  external: { eq: false },
};

const invalid = (msg: string): WireResponse => json(400, { success: false, error: 'invalid_request', msg });

/** `POST /api/v0/bundles/`: what can be rented at this moment. A machine that is rented is not in the answer. */
export function bundles(cloud: Cloud, nowMs: number, request: WireRequest): WireResponse {
  const body = objectBody(request.body);
  if (!body) return invalid('the body must be an object');
  const market = body['type'] ?? 'on-demand';
  if (typeof market !== 'string' || !MARKETS.includes(market))
    return invalid(`type must be one of ${MARKETS.join(', ')}`);
  const storageGb = body['allocated_storage'] ?? DEFAULT_STORAGE_GB;
  if (typeof storageGb !== 'number' || storageGb < 0) return invalid('allocated_storage must be a number of GB');
  const limit = body['limit'] ?? DEFAULT_LIMIT;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1)
    return invalid('limit must be a whole number');
  const order = orderOf(body['order']);
  if (typeof order === 'string') return invalid(order);
  const filters = Object.entries({ ...STANDARD_FILTERS, ...body }).filter((entry): entry is [string, JsonObject] =>
    isObject(entry[1]),
  );
  const wrong = filters.map(([field, operations]) => mistakeIn(field, operations)).find((text) => text !== undefined);
  if (wrong !== undefined) return invalid(wrong);
  const rows = offers(cloud, nowMs, { bid: market === 'bid', storageGb })
    .filter((row) => filters.every(([field, operations]) => passes(row[field], operations)))
    .sort((a, b) => compareBy(order, a, b));
  return json(200, { offers: rows.slice(0, limit) });
}

type Asked = { readonly bid: boolean; readonly storageGb: number };

function offers(cloud: Cloud, nowMs: number, asked: Asked): readonly JsonObject[] {
  return GPU_TYPES.flatMap((gpu, type) => {
    const list = cloud.prices.list('vast', gpu).secure;
    if (list === null) return [];
    const rented = cloud.stock.rentedAt('vast', gpu.id, 'default');
    const free = cloud.stock.freeAt('vast', gpu.id, 'default');
    return COUNTS.filter((count) => count <= gpu.maxCount).flatMap((count) =>
      Array.from({ length: Math.max(0, Math.floor(free / count)) }, (_, index) =>
        offer(gpu, { type, slot: rented + index, count, list, nowMs }, asked),
      ),
    );
  });
}

interface Slot {
  readonly type: number;
  readonly slot: number;
  readonly count: number;
  readonly list: number;
  readonly nowMs: number;
}

/** `dph_total` holds the disk that was asked for, `dph_base` holds none; a bid is paid for its disk too. */
function offer(gpu: GpuType, { type, slot, count, list, nowMs }: Slot, { bid, storageGb }: Asked): JsonObject {
  const machine = marketMachine(type, slot);
  const base = dollars(list * machine.factor * count);
  const minBid = dollars(base * BID_SHARE);
  const storage = storageHourly(machine, storageGb);
  const total = dollars((bid ? minBid : base) + storage);
  const nowS = Math.floor(nowMs / 1000);
  const endS = nowS + DAY_S * (3 + (slot % 20));
  const id = 7_000_000 + type * 10_000 + count * 1_000 + slot;
  return {
    id,
    ask_contract_id: id,
    bundle_id: id + 1,
    machine_id: machine.machineId,
    host_id: machine.hostId,
    num_gpus: count,
    gpu_name: gpu.vastName,
    gpu_ram: gpu.memoryGb * 1024,
    gpu_total_ram: gpu.memoryGb * 1024 * count,
    gpu_frac: count / 8,
    gpu_arch: gpu.manufacturer.toLowerCase(),
    cpu_cores: slot % 3 === 0 ? null : 64,
    cpu_cores_effective: 8 * count,
    cpu_ram: 64 * 1024 * count,
    disk_space: machine.diskGb,
    dph_base: bid ? minBid : base,
    dph_total: total,
    min_bid: minBid,
    is_bid: bid,
    storage_cost: machine.storageCost,
    storage_total_cost: storage,
    inet_up_cost: 0.003,
    inet_down_cost: 0.002,
    inet_up: machine.downloadMbps / 2,
    inet_down: machine.downloadMbps,
    reliability: machine.reliability,
    reliability2: machine.reliability,
    score: dollars(100 * machine.reliability - base),
    cuda_max_good: 12.8,
    compute_cap: 890,
    verification: 'verified',
    verified: true,
    rentable: true,
    rented: false,
    external: false,
    geolocation: machine.geolocation,
    duration: endS - nowS,
    start_date: nowS - DAY_S,
    end_date: endS,
    hosting_type: 1,
    search: { gpuCostPerHour: bid ? minBid : base, diskHour: storage, totalHour: total },
  };
}

type Operation = (value: unknown, to: unknown) => boolean;

const ordered =
  (holds: (difference: number) => boolean): Operation =>
  (value, to) => {
    if (typeof value === 'number' && typeof to === 'number') return holds(value - to);
    return typeof value === 'string' && typeof to === 'string' && holds(value < to ? -1 : value > to ? 1 : 0);
  };

/** Names of cards are written with blanks or underscores. */
const alike = (value: unknown, to: unknown): boolean =>
  typeof value === 'string' && typeof to === 'string'
    ? value.replaceAll('_', ' ') === to.replaceAll('_', ' ')
    : value === to;

const among = (value: unknown, to: unknown): boolean => Array.isArray(to) && to.some((item) => alike(value, item));

const OPERATIONS: Readonly<Record<string, Operation>> = {
  eq: alike,
  neq: (value, to) => !alike(value, to),
  gt: ordered((difference) => difference > 0),
  gte: ordered((difference) => difference >= 0),
  lt: ordered((difference) => difference < 0),
  lte: ordered((difference) => difference <= 0),
  in: among,
  notin: (value, to) => !among(value, to),
};

function mistakeIn(field: string, operations: JsonObject): string | undefined {
  const unknown = Object.keys(operations).find((name) => !Object.hasOwn(OPERATIONS, name));
  return unknown === undefined ? undefined : `${field}: unknown operator "${unknown}"`;
}

const passes = (value: unknown, operations: JsonObject): boolean =>
  Object.entries(operations).every(([name, to]) => OPERATIONS[name]?.(value, to) === true);

type Order = readonly (readonly [field: string, sign: 1 | -1])[];

function orderOf(given: unknown): Order | string {
  if (given === undefined) return [['score', -1]];
  const wrong = 'order must be a list of [field, "asc" or "desc"]';
  if (!Array.isArray(given)) return wrong;
  const order: (readonly [string, 1 | -1])[] = [];
  for (const item of given as readonly unknown[]) {
    const [field, direction] = Array.isArray(item) ? (item as readonly unknown[]) : [];
    if (typeof field !== 'string' || (direction !== 'asc' && direction !== 'desc')) return wrong;
    order.push([field, direction === 'asc' ? 1 : -1]);
  }
  return order;
}

function compareBy(order: Order, a: JsonObject, b: JsonObject): number {
  for (const [field, sign] of order) {
    const [left, right] = [a[field], b[field]];
    if (typeof left === 'number' && typeof right === 'number' && left !== right) return (left - right) * sign;
  }
  return 0;
}
