import type { RecordedEvent } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import type { ViewedLog } from './asking.js';

const PAGE = 1_000;
/** More events than this take too long for one answer. */
export const MAX_EVENTS = 200_000;

/**
 * The events after one position up to another, page by page.
 * @throws ProblemError 422 where they are too many for one answer
 */
export async function* eventsBetween(
  log: Pick<ViewedLog, 'read'>,
  after: number,
  upTo: number,
): AsyncGenerator<readonly RecordedEvent[]> {
  let read = 0;
  for (let from = after; from < upTo;) {
    const page = (await log.read(from, Math.min(PAGE, upTo - from))).filter(({ position }) => position <= upTo);
    const last = page.at(-1);
    if (!last) return;
    read += page.length;
    if (read > MAX_EVENTS) throw tooLong(last);
    yield page;
    from = last.position;
  }
}

function tooLong({ time, position }: RecordedEvent): ProblemError {
  const detail = `More than ${MAX_EVENTS} events are within it; they end at position ${position}, ${time}.`;
  return new ProblemError(422, 'span-too-long', 'The span is too long', detail, [
    { path: 'to', message: 'lies too far behind from', remedy: `Ask for less at once, for example up to ${position}.` },
  ]);
}
