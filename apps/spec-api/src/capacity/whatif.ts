import type { RecordedEvent, WhatIfView } from '@davit/contracts';
import { stream } from '@davit/contracts';
import { ASSUMED_READY_MS, Replay, type ReplayOptions, type ReplicaState, SAME_START_MS, groupOf } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import type { ReadModel } from '@davit/projection';
import { ProblemError } from '@davit/service-kit';
import { placeOf } from './log-times.js';

/** So far back what was said and what became of starts is remembered where a window begins. */
export const REMEMBERED_MS = 6 * 60 * 60_000;
const REMEMBERED_EVENTS = 50_000;
/** More events than this take too long for one answer. */
export const MAX_EVENTS = 200_000;
const PAGE = 1_000;

export interface ReplayDoors {
  readonly log: Pick<EventLog, 'read' | 'head' | 'readStream'>;
  readonly model: Pick<ReadModel, 'list'>;
}

/** Replays the window over the log, page by page; what stands before it is remembered as far as it matters. */
export async function replayWindow(doors: ReplayDoors, options: ReplayOptions): Promise<WhatIfView> {
  const { log } = doors;
  const { fromMs, toMs, against } = options;
  const head = await log.head();
  const begin = await placeOf(log, fromMs, head);
  const remembered = await placeOf(log, fromMs - REMEMBERED_MS, head);
  const first = Math.max(1, remembered.position, begin.position - REMEMBERED_EVENTS);
  const replay = new Replay(options);
  for (const event of against === null ? [] : await livesBefore(doors, against, first)) replay.remember(event);
  let position = first - 1;
  for (let isWithin = true; isWithin && position < head;) {
    const page = await log.read(position, Math.min(PAGE, head - position));
    if (page.length === 0) break;
    for (const event of page) {
      isWithin = replay.see(event);
      if (!isWithin) break;
      position = event.position;
    }
    if (position - begin.position > MAX_EVENTS) throw tooLong(page.at(-1));
  }
  const { events, ...result } = replay.finish();
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    against,
    // The domain's lists are read-only, the view's are not.
    ...(structuredClone(result) as Pick<WhatIfView, keyof typeof result>),
    rules: rulesOf(options),
    notes: notesOf(begin.ordered && remembered.ordered, first, remembered.position),
    read: { events, fromPosition: first, upTo: position },
  };
}

/** What the log says of a deployment and of its replicas before a position, in order. */
async function livesBefore(
  { log, model }: ReplayDoors,
  key: string,
  position: number,
): Promise<readonly RecordedEvent[]> {
  const replicas = await model.list<ReplicaState>('replica', groupOf.deployment(key));
  const streams = [
    stream.deployment(key),
    ...replicas.flatMap(({ document: { id, externalKey, mode } }) => [
      stream.replica(id),
      mode === 'serverless' ? stream.endpoint(externalKey) : stream.resource(externalKey),
    ]),
  ];
  const events: RecordedEvent[] = [];
  for (const name of streams)
    for (const event of await log.readStream(name)) if (event.position < position) events.push(event);
  return events.sort((a, b) => a.position - b.position);
}

function tooLong(last: RecordedEvent | undefined): ProblemError {
  const upTo = last?.time ?? '';
  return new ProblemError(
    422,
    'window-too-long',
    'The window is too long',
    `More than ${MAX_EVENTS} events are within it; they end at ${upTo}.`,
    [{ path: 'to', message: 'lies too far behind from', remedy: `Ask for less at once, for example up to ${upTo}.` }],
  );
}

function notesOf(ordered: boolean, first: number, wanted: number): string[] {
  return [
    ...(ordered ? [] : ['The clock of the log was set back somewhere: a window may have several parts.']),
    ...(first > wanted ? [`Nothing before position ${first} is remembered: there is too much of it.`] : []),
  ];
}

const minutes = (ms: number): number => Math.round(ms / 60_000);

/** The rules of a replay, told with each, since figures without them would be taken for more than they are. */
function rulesOf({ against, assumedReadyMs = ASSUMED_READY_MS, objective }: ReplayOptions): string[] {
  return [
    ...(against === null
      ? ['All replicas are asked for when the window begins.']
      : [
          `Up to its first other decision each replica lives the life of its counterpart of ${against}; from there on it goes its own way.`,
        ]),
    ...(objective === undefined ? [] : [`The placements are taken as a set, ranked by ${objective}.`]),
    `A start is refused where a real start on the same offer, begun at most ${minutes(SAME_START_MS)} minutes after it, was refused before it would have been ready. Where nobody tried the offer, nobody knows, and it is taken to go well.`,
    `A start is ready after as long as starts on its offer took at the median; where none served, after an assumed ${minutes(assumedReadyMs)} minutes.`,
    'What waits looks again whenever something recorded changes or runs out; a real replica looks again a little later.',
    'What serves on its own way is taken to serve until the window ends, at the price it was started for; without a price its time has no known cost.',
    'Only what was asked and recorded is known: an offer of which nothing was said is unknown, which blocks nothing. The budget of a tenant is not reckoned with: where it really decided, the replay goes another way.',
  ];
}
