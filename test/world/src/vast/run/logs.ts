import { json, type WireResponse } from '../../http/wire.js';
import { type VastParts } from '../parts.js';
import { groupOf, opens, unauthenticated, type RunCall } from './access.js';

const MOST_LINES = 10_000;

/** The log of scaling decisions of an endpoint, or of the search and the workers of a workergroup. */
export function logs(parts: VastParts, { body, holder }: RunCall, kind: 'endpoint' | 'workergroup'): WireResponse {
  const { store, engine, options } = parts;
  const owner = kind === 'endpoint' ? store.endpointBy(body['id'], body['endpoint']) : groupOf(parts, body['id']);
  if (!owner || !opens(parts, holder, owner)) return unauthenticated(kind, body['id'] ?? body['endpoint']);
  const tail = Number(body['tail'] ?? MOST_LINES);
  const log = engine.logs.read(owner.id, Number.isInteger(tail) && tail > 0 ? tail : MOST_LINES);
  return json(200, options.logsShape === 'levels' ? log : { logs: `${log.info0}${log.info1}${log.trace}${log.debug}` });
}
