import type { Query, QueryClient } from '@tanstack/react-query';
import type { Feed } from './feed.js';
import { NOWHERE, type Rows } from './rows.js';

/** How often what is shown is asked anew at most, and how much of the time it may take where answers are slow. */
const EVERY_MS = 500;
const BUSY_SHARE = 0.5;

/** Asks again for what is on the page when events say that it may be another; never for each event. */
export function followWith(feed: Feed, client: QueryClient): () => void {
  const due = new Set<string>();
  let everything = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let freeAtMs = 0;

  const refetch = async (): Promise<void> => {
    const categories = new Set(due);
    const all = everything;
    due.clear();
    everything = false;
    // What may have missed something is asked for whole, not from where it is.
    if (all)
      client.setQueriesData({ type: 'active', predicate: isRows }, (rows: Rows<unknown>) => ({
        ...rows,
        position: NOWHERE,
      }));
    const startedMs = performance.now();
    await client.refetchQueries(
      { type: 'active', predicate: (query) => (all ? follows(query) !== undefined : concerns(query, categories)) },
      { cancelRefetch: false },
    );
    const endedMs = performance.now();
    freeAtMs = endedMs + Math.max(EVERY_MS, (endedMs - startedMs) * (1 / BUSY_SHARE - 1));
    timer = undefined;
    // Both may have changed while it was asked, which the compiler does not see.
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition
    if (due.size > 0 || everything) schedule();
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void refetch(), Math.max(0, freeAtMs - performance.now()));
  };
  const unfollow = feed.follow((types, missed) => {
    for (const type of types) due.add(categoryOf(type));
    // The fleet as a whole speaks in rows of single things, which do not change by it.
    if (missed || [...types].some((type) => type.startsWith('davit.fleet.'))) everything = true;
    schedule();
  });
  return () => {
    unfollow();
    clearTimeout(timer);
  };
}

export const categoryOf = (type: string): string => type.split('.')[1] ?? '';

const isRows = (query: Query): boolean => query.meta?.rows === true && query.state.data !== undefined;
const follows = (query: Query): readonly string[] | undefined => query.meta?.follows;
const concerns = (query: Query, categories: ReadonlySet<string>): boolean =>
  follows(query)?.some((category) => categories.has(category)) ?? false;
