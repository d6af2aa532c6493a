import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/http.js';
import { isBy } from '../../live/events-query.js';
import { useAnswer } from '../../live/queries.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { useAt } from '../../time/at.js';
import type { EventPage } from '../../time/moment.js';
import { type EventFilter, filtered } from './filter.js';
import { EventTable } from './event-table.js';

const SHOWN = 1_000;

/** What had happened up to the instant that the page shows. */
export function PastEvents({ filter }: { readonly filter: EventFilter }) {
  const at = useAt() ?? '';
  const moment = useAnswer<{ readonly position: number }>('/v1/deployments', {}, []);
  const position = moment.data?.position;
  const events = useQuery({
    queryKey: ['events-before', position],
    queryFn: ({ signal }) =>
      get<EventPage>('/v1/events', { after: Math.max(0, (position ?? 0) - SHOWN), limit: SHOWN }, signal),
    enabled: position !== undefined,
  });
  const rows = useMemo(() => filtered((events.data?.items ?? []).filter(isBy(at)), filter), [events.data, filter, at]);
  return (
    <Panel title={`${rows.length} before that`}>
      <Answered answer={events} lines={8}>
        {() => (rows.length === 0 ? <Empty title="None had happened by then" /> : <EventTable rows={rows} />)}
      </Answered>
    </Panel>
  );
}
