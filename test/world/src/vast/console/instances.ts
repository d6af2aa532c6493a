import { json, type WireResponse } from '../../http/wire.js';
import { type Worker } from '../entities.js';
import { invalid, notAllowed, notFound, type ConsoleCall, type VastParts } from '../parts.js';
import { templateServer } from '../worker/template-server.js';
import { instanceRow } from './rows.js';
import { columnsOf, filtersOf, page, passes } from './select.js';

const PAGE = 25;
const MODEL_PORT = 8_000;

/** `/api/v0/instances/{id}/` and `/api/v1/instances/`. */
export function instances(parts: VastParts, { request, id }: ConsoleCall): WireResponse {
  const { store, engine, options } = parts;
  const port = (worker: Worker): number => templateServer(worker.template, '', options.salt)?.port ?? MODEL_PORT;
  if (id === undefined) return list(parts, request.url.searchParams, port);
  const worker = store.workers.get(id);
  if (request.method === 'GET')
    return worker?.machine
      ? json(200, { instances: instanceRow(worker, port(worker)) })
      : notFound('Instance not found');
  if (request.method !== 'DELETE') return notAllowed();
  if (!worker?.machine) return notFound('Instance not found');
  engine.destroy([worker], 0);
  return json(200, { success: true, msg: `Instance ${id} destroyed` });
}

function list({ store }: VastParts, query: URLSearchParams, port: (worker: Worker) => number): WireResponse {
  const filters = filtersOf(query);
  const all = [...store.workers.values()].filter(({ machine }) => machine !== null);
  const rows = all.map((worker) => instanceRow(worker, port(worker))).filter((row) => passes(row, filters));
  const shown = page(rows, query, PAGE, PAGE);
  if (!shown) return invalid('invalid limit or after_token');
  return json(200, {
    success: true,
    instances_found: rows.length,
    total_instances: all.length,
    label_counts: {},
    next_token: shown.next,
    instances: shown.rows.map((row) => columnsOf(row, query)),
  });
}

/** `PUT /api/v0/instances/request_logs/{id}`: an address with a signature in it, from which the log can be had later. */
export function requestLogs({ store }: VastParts, { request, id }: ConsoleCall): WireResponse {
  if (request.method !== 'PUT') return notAllowed();
  if (id === undefined || !store.workers.has(id)) return notFound('Instance not found');
  const signature = store.canary('signature of a log address');
  return json(200, {
    success: true,
    result_url: `https://s3.example/logs/${id}?signature=${signature}`,
    msg: 'requested',
  });
}
