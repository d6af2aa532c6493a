import { durationText, exactText, relativeText } from '../format/time.js';
import { useTimeText } from '../time/clock.js';

/** How long ago something was, or when it will be; exactly, when pointed at. */
export function Ago({ at }: { readonly at: string | number }) {
  const atMs = typeof at === 'number' ? at : Date.parse(at);
  const text = useTimeText((nowMs) => relativeText(atMs, nowMs));
  return (
    <time dateTime={new Date(atMs).toISOString()} title={exactText(atMs)}>
      {text}
    </time>
  );
}

/** How long something has lasted. */
export function Lasting({ since }: { readonly since: string }) {
  const sinceMs = Date.parse(since);
  const text = useTimeText((nowMs) => durationText(nowMs - sinceMs));
  return (
    <time dateTime={since} title={`since ${exactText(sinceMs)}`}>
      {text}
    </time>
  );
}
