import { json, type JsonObject, type WireResponse } from '../../http/wire.js';
import { type Endpoint, type Workergroup } from '../entities.js';
import { type Holder } from '../keys.js';
import { type VastParts } from '../parts.js';

/** A call to the run host, with whoever's key it shows. */
export interface RunCall {
  readonly body: JsonObject;
  readonly holder: Holder | undefined;
}

export const groupOf = ({ store }: VastParts, id: unknown): Workergroup | undefined =>
  id === undefined || id === null ? undefined : store.groups.get(Number(id));

/** Whether a key opens this: a key of the account, or the thing's own. */
export function opens(
  { options }: VastParts,
  holder: Holder | undefined,
  owner: Endpoint | Workergroup | undefined,
): boolean {
  if (!holder) return false;
  const { permissions, endpointId, groupId } = holder;
  if (endpointId === undefined) return permissions === null || options.runScopedKeys === 'allowed';
  if (!owner) return false;
  if ('endpointId' in owner) return groupId === owner.id || (groupId === undefined && endpointId === owner.endpointId);
  return endpointId === owner.id && groupId === undefined;
}

/** What the run host says, with 200, to a key or an id that is wrong. */
export const unauthenticated = (kind: 'endpoint' | 'workergroup', name: unknown): WireResponse =>
  json(200, `authenticate_${kind}_apikey: invalid api_key or ${kind} ${String(name)} not found`);
