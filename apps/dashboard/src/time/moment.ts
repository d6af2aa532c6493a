import type { RecordedEvent } from '@davit/contracts';
import { useQuery } from '@tanstack/react-query';
import { get } from '../api/http.js';
import { useAt } from './at.js';

export interface EventPage {
  readonly items: readonly RecordedEvent[];
  readonly next: number;
  readonly head: number;
}

/** `?at=` as milliseconds: undefined while the page is live, and null while it is being found out. */
export function useMoment(): number | null | undefined {
  const at = useAt();
  const isPosition = at !== undefined && /^\d+$/.test(at);
  const { data } = useQuery({
    queryKey: ['time-of-position', at],
    queryFn: ({ signal }) => get<EventPage>('/v1/events', { after: Math.max(0, Number(at) - 1), limit: 1 }, signal),
    enabled: isPosition,
  });
  if (at === undefined) return undefined;
  if (!isPosition) return Number.isNaN(Date.parse(at)) ? null : Date.parse(at);
  const time = data?.items[0]?.time;
  return time === undefined ? null : Date.parse(time);
}

/** When the log began; undefined while that is not known, and for a log that is empty. */
export function useLogStart(): number | undefined {
  const { data } = useQuery({
    queryKey: ['log-start'],
    queryFn: ({ signal }) => get<EventPage>('/v1/events', { limit: 1 }, signal),
    staleTime: (query) => (query.state.data?.items.length === 0 ? 0 : Infinity),
    meta: { follows: ['intent'] },
  });
  const time = data?.items[0]?.time;
  return time === undefined ? undefined : Date.parse(time);
}
