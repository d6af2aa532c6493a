import type { RecordedEvent } from '@davit/contracts';

/** What a filtered stream tells beside events: all after `after` and up to `position` was looked at, and so many were sent. */
export interface Checkpoint {
  readonly after: number;
  readonly position: number;
  readonly delivered: number;
}

export const CHECKPOINT = 'davit.stream.checkpoint';

export const checkpointFrame = (checkpoint: Checkpoint): string =>
  `id: ${checkpoint.position}\nevent: ${CHECKPOINT}\ndata: ${JSON.stringify(checkpoint)}\n\n`;

const DATA = '\ndata: ';

/** An event as a server-sent event. */
export const frameOf = (event: RecordedEvent): Buffer =>
  Buffer.from(`id: ${event.position}\nevent: ${event.type}${DATA}${JSON.stringify(event)}\n\n`);

/** The event of which a frame was made. */
export const eventIn = (frame: Buffer): RecordedEvent =>
  // It was written here from an event, and nobody else has had it.
  JSON.parse(frame.toString('utf8', frame.indexOf(DATA) + DATA.length)) as RecordedEvent;
