import { json, type WireResponse } from '../../http/wire.js';
import { workerRow } from '../console/rows.js';
import { type VastParts } from '../parts.js';
import { groupOf, opens, unauthenticated, type RunCall } from './access.js';

/** How often each owner's list was asked for. */
export type ListCalls = Map<number, number>;

/** The workers of an endpoint or a workergroup, in one of the forms in which they come. */
export function workersOf(
  parts: VastParts,
  calls: ListCalls,
  { body, holder }: RunCall,
  kind: 'endpoint' | 'workergroup',
): WireResponse {
  const { store, engine, options, defects } = parts;
  const owner = kind === 'endpoint' ? store.endpointBy(body['id'], body['endpoint']) : groupOf(parts, body['id']);
  if (!opens(parts, holder, owner)) return unauthenticated(kind, body['id']);
  if (!owner || !engine.isVisible(owner)) return json(200, { error_msg: `${kind} is not ready` });
  const count = (calls.get(owner.id) ?? 0) + 1;
  calls.set(owner.id, count);
  if (options.workersShape === 'string') return unauthenticated(kind, owner.id);
  if (options.workersShape === 'error-first' && count <= options.workersErrorCalls)
    return json(200, { error_msg: `${kind} is not ready` });
  const workers = store.workersOf(kind === 'endpoint' ? { endpointId: owner.id } : { groupId: owner.id });
  const rows = workers.map((worker) =>
    workerRow({
      worker,
      perf: engine.perfOf(worker),
      load: worker.server?.queue.load() ?? 0,
      hidesUnmeasured: kind === 'workergroup',
      loadedAtOffsetMs: defects.get('clock-skew', { worker })?.ms ?? 0,
    }),
  );
  return json(200, options.workersShape === 'object' ? { workers: rows } : rows);
}
