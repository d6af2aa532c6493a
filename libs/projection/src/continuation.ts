import type { RecordedEvent } from '@davit/contracts';

/** Events that continue the log right after `position`, and whether the feed left a hole before others. */
export function continuation(
  events: readonly RecordedEvent[],
  position: number,
): { readonly run: readonly RecordedEvent[]; readonly hole: boolean } {
  const fresh = events
    .filter((event) => event.position > position)
    .sort((left, right) => left.position - right.position);
  const run: RecordedEvent[] = [];
  let next = position + 1;
  for (const event of fresh) {
    if (event.position > next) return { run, hole: true };
    if (event.position < next) continue;
    run.push(event);
    next += 1;
  }
  return { run, hole: false };
}
