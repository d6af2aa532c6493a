import { json, type WireResponse } from '../../http/wire.js';
import { type VastParts } from '../parts.js';
import { groupOf, opens, type RunCall } from './access.js';

/** `POST /update_workers/`: starts a rolling update of a workergroup, or takes back what has not begun. */
export function updateWorkers(parts: VastParts, { body, holder }: RunCall): WireResponse {
  const { engine, options } = parts;
  const group = groupOf(parts, body['workergroup_id']);
  if (!group || !opens(parts, holder, group))
    return json(200, { success: false, error_msg: 'authenticate_workergroup_apikey: invalid api_key or group' });
  if (body['cancel_update'] === true) {
    engine.rollouts.cancel(group);
    return json(200, { success: true, cancelled: true });
  }
  if (options.rollTrigger === 'put-only') return json(200, { success: true, workers_to_update: 0 });
  const count = engine.update(group, options.updateSelects === 'every');
  return json(200, { success: true, workers_to_update: count });
}
