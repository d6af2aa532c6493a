import { EVENT_CATEGORIES, EVENT_DEFINITIONS, type EventCategory, type EventType, replicaId } from '@davit/contracts';
import type { EventFilter } from '@davit/domain';
import { type Query, badRequest, deploymentKey, single } from '../queries/parameters.js';

/** Parameters that choose among events. */
export const FILTER_PARAMETERS = ['category', 'type', 'deployment', 'replica', 'tenant'] as const;

const EVENT_TYPES = EVENT_DEFINITIONS.map(({ type }) => type);

/** What a query asks for among the events that may be seen. `category` and `type` take several, parted by commas. */
export function filterOf(query: Query, visible: EventFilter['tenants']): EventFilter {
  const tenant = single(query, 'tenant');
  const seen = tenant === undefined ? visible : visible === 'all' || visible.includes(tenant) ? [tenant] : [];
  return {
    tenants: seen,
    categories: someOf<EventCategory>(query, 'category', EVENT_CATEGORIES),
    types: someOf<EventType>(query, 'type', EVENT_TYPES),
    deployment: deploymentKey(query, 'deployment'),
    replica: replicaOf(query),
  };
}

function someOf<Value extends string>(query: Query, name: string, known: readonly Value[]): Value[] | undefined {
  const text = single(query, name);
  if (text === undefined) return undefined;
  return text.split(',').map((part) => {
    const value = known.find((one) => one === part.trim());
    if (value !== undefined) return value;
    const remedy = known.length <= 20 ? `Write one or more of: ${known.join(', ')}.` : 'See the reference of events.';
    const message = `${JSON.stringify(part.trim().slice(0, 60))} is not one of the accepted values`;
    throw badRequest([{ path: `?${name}`, message, remedy }]);
  });
}

function replicaOf(query: Query): string | undefined {
  const text = single(query, 'replica');
  if (text === undefined || replicaId.safeParse(text).success) return text;
  const message = `${JSON.stringify(text.slice(0, 60))} is not a replica`;
  throw badRequest([{ path: '?replica', message, remedy: 'Write its whole id, for example default/qwen3-8b-1-0-1.' }]);
}
