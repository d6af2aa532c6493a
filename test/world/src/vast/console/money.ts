import { isObject, json, type JsonObject, type WireResponse } from '../../http/wire.js';
import { invalid, notAllowed, type ConsoleCall, type VastParts } from '../parts.js';
import { amountOf, type Charge } from '../worker/meter.js';
import { filtersOf, page } from './select.js';

const PAGE = 100;
const MOST = 500;

interface Total {
  readonly charge: Charge;
  gpu: number;
  disk: number;
}

/** What was charged between two times, by worker. */
function totals({ store, engine }: VastParts, fromMs: number, untilMs: number): readonly Total[] {
  const byWorker = new Map<number, Total>();
  for (const charge of engine.meter.charges) {
    const { gpu, disk } = amountOf(charge, store.clock.nowMs(), fromMs, untilMs);
    const total = byWorker.get(charge.workerId) ?? { charge, gpu: 0, disk: 0 };
    total.gpu += gpu;
    total.disk += disk;
    byWorker.set(charge.workerId, total);
  }
  return [...byWorker.values()].filter(({ gpu, disk }) => gpu + disk > 0);
}

/** `GET /api/v0/charges/`: both bounds of the day are needed; as a table of workers, or as a tree of endpoints. */
export function charges(parts: VastParts, { request }: ConsoleCall): WireResponse {
  if (request.method !== 'GET') return notAllowed();
  const query = request.url.searchParams;
  const filters = filtersOf(query);
  const day = isObject(filters['day']) ? filters['day'] : {};
  const { gte, lte } = day;
  if (typeof gte !== 'number' || typeof lte !== 'number')
    return invalid("Must provide both 'day' gte and lte filters for instance charges");
  const found = totals(parts, gte * 1000, lte * 1000);
  const rows = query.get('format') === 'tree' ? tree(found, gte, lte) : found.map((total) => row(total, gte, lte));
  const shown = page(query.get('latest_first') === 'false' ? rows : rows.toReversed(), query, PAGE, MOST);
  if (!shown) return json(400, { success: false, error: 'invalid_token', msg: 'invalid limit or after_token' });
  return json(200, {
    success: true,
    count: shown.rows.length,
    total: rows.length,
    next_token: shown.next,
    results: shown.rows,
  });
}

function row({ charge, gpu, disk }: Total, start: number, end: number): JsonObject {
  return {
    start,
    end,
    type: 'serverless',
    source: `instance-${charge.workerId}`,
    description: `Worker ${charge.workerId}`,
    amount: gpu + disk,
    metadata: { template_id: charge.templateId, endpoint_id: charge.endpointId, workergroup_id: charge.groupId },
    items: [
      { type: 'gpu', amount: gpu },
      { type: 'disk', amount: disk },
    ],
  };
}

function tree(found: readonly Total[], start: number, end: number): readonly JsonObject[] {
  const endpoints = grouped(found, ({ charge }) => charge.endpointId);
  return [...endpoints].map(([endpointId, ofEndpoint]) => {
    const groups = grouped(ofEndpoint, ({ charge }) => charge.groupId);
    const children = [...groups].map(([groupId, ofGroup]) => ({
      ...node(`workergroup-${groupId}`, ofGroup, start, end),
      items: ofGroup.map((total) => row(total, start, end)),
    }));
    return { ...node(`endpoint-${endpointId}`, ofEndpoint, start, end), items: children };
  });
}

function grouped(found: readonly Total[], keyOf: (total: Total) => number): ReadonlyMap<number, readonly Total[]> {
  const groups = new Map<number, Total[]>();
  for (const total of found) groups.set(keyOf(total), [...(groups.get(keyOf(total)) ?? []), total]);
  return groups;
}

const node = (source: string, of: readonly Total[], start: number, end: number): JsonObject => ({
  ...{ start, end, type: 'serverless', source },
  amount: of.reduce((sum, { gpu, disk }) => sum + gpu + disk, 0),
});

/** `GET /api/v0/serverless/endpoints/spend` and `…/workergroups/spend`, whose form nobody documents. */
export function spend(parts: VastParts, kind: 'endpoints' | 'workergroups', { request }: ConsoleCall): WireResponse {
  if (request.method !== 'GET') return notAllowed();
  const key = kind === 'endpoints' ? 'endpoint_id' : 'workergroup_id';
  const amounts = new Map<number, number>();
  for (const { charge, gpu, disk } of totals(parts, 0, Infinity)) {
    const id = kind === 'endpoints' ? charge.endpointId : charge.groupId;
    amounts.set(id, (amounts.get(id) ?? 0) + gpu + disk);
  }
  return json(200, { success: true, results: [...amounts].map(([id, amount]) => ({ [key]: id, spend: amount })) });
}
