import type { QueryOf, operations } from '@davit/contracts';
import type { EventFilter, EventSight } from '@davit/domain';

type Wanted = Omit<QueryOf<typeof operations.streamEvents>, 'after'>;

/** What a query asks for among the events that may be seen. */
export function filterOf({ tenant, category, type, ...about }: Wanted, sight: EventSight): EventFilter {
  const { deployment, replica } = about;
  return {
    sight,
    tenants: tenant === undefined ? 'all' : [tenant],
    categories: category,
    types: type,
    deployment,
    replica,
  };
}
