import { useSyncExternalStore } from 'react';
import { usePageTime } from './at.js';

/** One clock for all: whoever shows a time hears each second, and is drawn anew only when its text is another. */
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const one of listeners) one();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const read = (): number => {
  const current = Date.now();
  // A page that showed no time for a while takes the time anew.
  if (Math.abs(current - nowMs) > 1_500) nowMs = current;
  return nowMs;
};

const never = (): (() => void) => () => undefined;

/** What `tell` says of the time on the page; drawn again only when that changes. */
export function useTimeText<Told extends string | number>(tell: (nowMs: number) => Told): Told {
  const pageMs = usePageTime();
  return useSyncExternalStore(pageMs === undefined ? subscribe : never, () => tell(pageMs ?? read()));
}
