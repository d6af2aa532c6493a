import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../api/http.js';
import { Feed, type FeedState } from './feed.js';
import { followWith } from './follow.js';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error;
    queryMeta: { readonly follows?: readonly string[]; readonly rows?: boolean };
  }
}

const FeedContext = createContext<Feed | undefined>(undefined);

/** The stream of events, and what was asked, kept up to date by it. */
export function Live({ children }: { readonly children: ReactNode }) {
  const [client] = useState(newClient);
  const [feed] = useState(() => new Feed());
  useEffect(() => {
    feed.start();
    const unfollow = followWith(feed, client);
    return () => {
      unfollow();
      feed.stop();
    };
  }, [feed, client]);
  return (
    <QueryClientProvider client={client}>
      <FeedContext value={feed}>{children}</FeedContext>
    </QueryClientProvider>
  );
}

export function useFeed(): Feed {
  const feed = useContext(FeedContext);
  if (!feed) throw new Error('useFeed is used outside of <Live>');
  return feed;
}

/** Part of the state of the stream; drawn again only when that part is another. */
export function useFeedState<Part extends string | number | boolean | null>(select: (state: FeedState) => Part): Part {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, () => select(feed.get()));
}

function newClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Events say when something is another; nothing grows old by itself.
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        // A server that answered has said what there is to say; one that did not is asked again until it does.
        retry: (count, error) =>
          error instanceof ApiError && (error.status === 0 || error.status === 503) && count < 60,
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5_000),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
