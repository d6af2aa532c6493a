import type { RecordedEvent } from '@davit/contracts';
import { type EventFilter, isWhole, selected } from '@davit/domain';

/** What a filtered stream tells beside events: all after `after` and up to `position` was looked at, and so many were sent. */
export interface Checkpoint {
  readonly after: number;
  readonly position: number;
  readonly delivered: number;
}

export const CHECKPOINT = 'davit.stream.checkpoint';

const frames = new WeakMap<RecordedEvent, Buffer>();
/** The last page that went to readers of everything: those at the end of the log all get the same. */
let shared: { readonly first: RecordedEvent; readonly count: number; readonly bytes: Buffer } | undefined;

/** Events of a page that pass the filter, as server-sent events; written once however many readers get them. */
export function framesOf(page: readonly RecordedEvent[], filter: EventFilter): { bytes: Buffer; count: number } {
  const [first] = page;
  if (first === undefined) return { bytes: Buffer.alloc(0), count: 0 };
  if (!isWhole(filter)) {
    const shown = page.flatMap((event) => selected(filter, event) ?? []).map(frameOf);
    return { bytes: Buffer.concat(shown), count: shown.length };
  }
  if (shared?.first !== first || shared.count !== page.length) {
    shared = { first, count: page.length, bytes: Buffer.concat(page.map(frameOf)) };
  }
  return { bytes: shared.bytes, count: page.length };
}

export const checkpointFrame = (checkpoint: Checkpoint): string =>
  `id: ${checkpoint.position}\nevent: ${CHECKPOINT}\ndata: ${JSON.stringify(checkpoint)}\n\n`;

function frameOf(event: RecordedEvent): Buffer {
  const known = frames.get(event);
  if (known) return known;
  const frame = Buffer.from(`id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  frames.set(event, frame);
  return frame;
}
