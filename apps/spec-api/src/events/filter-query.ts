import type { QueryOf, operations } from '@davit/contracts';
import type { EventFilter } from '@davit/domain';

type Asked = Omit<QueryOf<typeof operations.streamEvents>, 'after'>;

/** What a query asks for among the events that may be seen. */
export function filterOf({ tenant, category, type, ...about }: Asked, visible: EventFilter['tenants']): EventFilter {
  const seen = tenant === undefined ? visible : visible === 'all' || visible.includes(tenant) ? [tenant] : [];
  const { deployment, replica } = about;
  return { tenants: seen, categories: category, types: type, deployment, replica };
}
