import { z } from 'zod';
import { EVENT_DEFINITIONS, type RecordedEvent } from '../../events/catalogue.js';
import { EVENT_CATEGORIES } from '../../events/define.js';
import { parseRecordedEvent } from '../../events/parse.js';
import { replicaId } from '../../primitives.js';
import { defineOperation } from './define.js';
import { countUpTo, onlyOfDeployment, onlyOfTenant, wholeNumber } from './parameters.js';

const question = { method: 'GET', tag: 'events', role: 'viewer' } as const;

const isEvent = (value: unknown): boolean => {
  try {
    parseRecordedEvent(value);
    return true;
  } catch {
    return false;
  }
};

/** An event as the log holds it; its schema is published apart, since it is that of every event there is. */
export const recordedEvent = z.custom<RecordedEvent>(isEvent, { error: 'is not an event of this version' });

const TYPES = EVENT_DEFINITIONS.map(({ type }) => type);
export const eventType = z.enum(TYPES, { error: 'is not a type of event; see the reference of events' });
export const eventCategory = z.enum(EVENT_CATEGORIES);

/** What events are wanted; all that is said must hold. Several values of one parameter are parted by commas. */
const filter = {
  category: z.array(eventCategory).min(1).describe('Only events of these categories.').optional(),
  type: z.array(eventType).min(1).describe('Only events of these types.').optional(),
  deployment: onlyOfDeployment,
  replica: replicaId.describe('Only what tells of this replica.').optional(),
  tenant: onlyOfTenant,
};
const after = wholeNumber(0).describe('Position after which events are told.');

export const eventsPage = z.object({
  items: z.array(recordedEvent),
  next: z.int().nonnegative().describe('Ask with `after` set to this for what follows.'),
  head: z.int().nonnegative().describe('Position of the end of the log.'),
});
export type EventsPage = z.infer<typeof eventsPage>;

export const listEvents = defineOperation({
  ...question,
  id: 'listEvents',
  path: '/v1/events',
  summary: 'A page of the log, from any position',
  query: z.strictObject({ after, limit: countUpTo(1_000, 100), ...filter }),
  responses: { 200: eventsPage },
});

export const streamEvents = defineOperation({
  ...question,
  id: 'streamEvents',
  path: '/v1/events/stream',
  summary: 'The log as server-sent events: catches up from any position, then follows',
  description:
    'The id of each event is its position: a client that reconnects sends it as `Last-Event-ID` and misses nothing.',
  query: z.strictObject({ after, ...filter }),
  headers: z.object({
    'last-event-id': z
      .string()
      .regex(/^\d{1,16}$/, { error: 'is not a position; write the id of the last event' })
      .describe('Counts instead of `after`.')
      .optional(),
  }),
  media: 'text/event-stream',
  responses: { 200: z.string() },
  problems: [503],
});
