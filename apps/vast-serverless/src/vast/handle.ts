import type { EndpointRow } from './api/endpoints.js';
import type { GroupRow } from './api/workergroups.js';
import { searchDigest } from './record/workergroup.js';

/** What the log keeps of a launch: which things were made, and of which template and search. */
export interface Handle {
  readonly endpointId: number;
  readonly groupId: number;
  /** Null in logs of older versions, and where the service did not say. */
  readonly templateId: number | null;
  readonly templateHash: string | null;
  readonly searchDigest: string | null;
}

const NONE = '-';

/** `<endpoint>/<workergroup>/<template>/<template hash>/<search digest>`. */
export const handleOf = ({ id }: EndpointRow, group: GroupRow): string =>
  [id, group.id, group.template_id ?? NONE, group.template_hash ?? NONE, searchDigest(group.search_query)].join('/');

/** Undefined for text that is no handle. */
export function parseHandle(handle: string | null): Handle | undefined {
  const [endpoint, group, template, hash, search] = handle?.split('/') ?? [];
  const [endpointId, groupId] = [Number(endpoint), Number(group)];
  if (!Number.isInteger(endpointId) || !Number.isInteger(groupId)) return undefined;
  const known = (text: string | undefined): string | null => (text === undefined || text === NONE ? null : text);
  const templateId = Number(known(template) ?? NaN);
  return {
    endpointId,
    groupId,
    templateId: Number.isInteger(templateId) ? templateId : null,
    templateHash: known(hash),
    searchDigest: known(search),
  };
}
