import { createContext, useCallback, useContext } from 'react';
import { useSearchParams } from 'react-router';

/** The instant that the page shows, as it stands in the address: RFC 3339 or a position; undefined: now. */
export function useAt(): string | undefined {
  const [parameters] = useSearchParams();
  return parameters.get('at') ?? undefined;
}

/** Changes some parameters of the address; null takes one away. */
export function useSetParameters(): (changes: Readonly<Record<string, string | null>>, replace?: boolean) => void {
  const [, set] = useSearchParams();
  return useCallback(
    (changes, replace = false) =>
      set(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === null) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace },
      ),
    [set],
  );
}

/** What time it is on the page, in milliseconds: of the instant that is shown, or undefined where the clock runs. */
export const PageTime = createContext<number | undefined>(undefined);
export const usePageTime = (): number | undefined => useContext(PageTime);
