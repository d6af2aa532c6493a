import type { RecordedEvent } from '@davit/contracts';
import { type UseQueryResult, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { get, type Query } from '../api/http.js';
import { useAt } from '../time/at.js';
import type { EventPage } from '../time/moment.js';

/** So much of the log is looked through for what a page shows of the past. */
const LOOK_BACK = 20_000;
const PAGE = 1_000;
const KEPT = 20_000;

export interface KnownEvents {
  readonly items: readonly RecordedEvent[];
  readonly next: number;
  /** Events before this position were not looked for. */
  readonly from: number;
}

/**
 * Events of the end of the log that a filter lets through. What came since is asked for and added; what is known is not asked
 * for again. In the past it is what had happened by then.
 */
export function useEvents(filter: Query, follows: readonly string[]): UseQueryResult<KnownEvents> {
  const client = useQueryClient();
  const at = useAt();
  const queryKey = ['events', filter];
  const answer = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<KnownEvents> => {
      let known = client.getQueryData<KnownEvents>(queryKey) ?? (await beginning(signal));
      for (;;) {
        const page = await get<EventPage>('/v1/events', { ...filter, after: known.next, limit: PAGE }, signal);
        known = { ...known, items: [...known.items, ...page.items].slice(-KEPT), next: page.next };
        if (page.next >= page.head || (page.items.length === 0 && page.next === known.next)) return known;
      }
    },
    meta: { follows },
    structuralSharing: false,
    placeholderData: keepPreviousData,
    ...(at === undefined
      ? {}
      : { select: (known: KnownEvents) => ({ ...known, items: known.items.filter(isBy(at)) }) }),
  });
  return answer;
}

async function beginning(signal: AbortSignal): Promise<KnownEvents> {
  const { head } = await get<EventPage>('/v1/events', { limit: 1 }, signal);
  const from = Math.max(0, head - LOOK_BACK);
  return { items: [], next: from, from };
}

/** Whether an event had happened at an instant, as `?at=` writes it. */
export function isBy(at: string): (event: RecordedEvent) => boolean {
  if (/^\d+$/.test(at)) return ({ position }) => position <= Number(at);
  const atMs = Date.parse(at);
  return ({ time }) => Date.parse(time) <= atMs;
}
