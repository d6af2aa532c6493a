import { z } from 'zod';
import { errorClass, hourlyPrice, instant } from '../primitives.js';
import { placement, stockState } from '../placement.js';

const offer = placement.omit({ maxHourlyPrice: true });
const position = z.int().positive();

const at = {
  /** Of the event; for a silence, of the signal that ran out. */
  position,
  time: instant,
  /** Name of the offer, for example `runpod:*:L40S:1`. */
  offer: z.string(),
};

const signalEntry = z.object({
  ...at,
  kind: z.literal('signal'),
  /** For a replica that was to be placed, or on a schedule. */
  asked: z.enum(['for-a-replica', 'on-schedule']),
  replica: z.string().nullable(),
  state: stockState,
  source: z.string(),
  scope: z.string(),
  level: z.string().nullable(),
  observedAt: instant,
  expiresAt: instant,
  confidence: z.number().nullable(),
  price: hourlyPrice.nullable(),
  detail: z.string(),
  /** Nothing was known of the offer before this, at least since then; null when it follows a signal that still held. */
  unknownSince: instant.nullable(),
});

/** From `time` on nothing was known of an offer: its signal ran out, or nothing was said of it before. */
const silenceEntry = z.object({
  ...at,
  kind: z.literal('unknown'),
  /** When something is known again; null where that is not within what this answer shows. */
  until: instant.nullable(),
});

const priceEntry = z.object({ ...at, kind: z.literal('price'), price: hourlyPrice });
const failureEntry = z.object({ ...at, kind: z.literal('advice-failed'), source: z.string(), detail: z.string() });
const startEntry = z.object({
  ...at,
  kind: z.literal('start'),
  replica: z.string(),
  step: z.enum(['placed', 'ready', 'refused', 'failed', 'lost']),
  class: errorClass.nullable(),
  price: hourlyPrice.nullable(),
  detail: z.string(),
});

/** One thing that the log says of an offer. */
export const capacityEntry = z.discriminatedUnion('kind', [
  signalEntry,
  silenceEntry,
  priceEntry,
  failureEntry,
  startEntry,
]);
export type CapacityEntry = z.infer<typeof capacityEntry>;

/** Answer of `GET /v1/capacity/history`: a page, in the order of time. */
export const capacityHistory = z.object({
  from: instant,
  to: instant,
  items: z.array(capacityEntry),
  /** Ask with `after` set to this for what follows; null at the end of the window. */
  next: z.int().nonnegative().nullable(),
  /** How much of the log was read for this answer. */
  read: z.object({ events: z.int(), upTo: z.int() }),
  notes: z.array(z.string()),
});
export type CapacityHistory = z.infer<typeof capacityHistory>;

/** Row of `GET /v1/capacity/offers`. */
export const offerView = z.object({
  offer: z.string(),
  placement: offer,
  /** Present state of stock: `unknown` once the signal has run out. */
  state: stockState,
  /** The latest signal, which may have run out; null where none was found. */
  signal: z
    .object({
      state: stockState,
      source: z.string(),
      scope: z.string(),
      observedAt: instant,
      expiresAt: instant,
      position,
      ageMs: z.int().nonnegative(),
    })
    .nullable(),
  /** How far a promise of stock is to be believed, by own history, 0 to 1. */
  confidence: z.number(),
  /** Of starts after an `available`, the share that was not refused; null while there are none. */
  honesty: z.object({ saidAvailable: z.int(), refused: z.int(), share: z.number().nullable() }),
  reliability: z.object({ score: z.number(), good: z.int(), failed: z.int(), lost: z.int() }).nullable(),
  readyTime: z.object({ medianMs: z.int(), p95Ms: z.int(), starts: z.int() }).nullable(),
  /** The last price of each kind and source, whatever its age. */
  prices: z.array(
    z.object({
      price: hourlyPrice,
      /** Null where it was told before what is looked through. */
      position: position.nullable(),
      stale: z.boolean(),
    }),
  ),
});
export type OfferView = z.infer<typeof offerView>;

export const offersAnswer = z.object({
  position: z.int(),
  items: z.array(offerView),
  /** Signals and prices are looked for back to here. */
  lookedBackTo: z.object({ position: z.int(), time: instant.nullable() }),
});
export type OffersAnswer = z.infer<typeof offersAnswer>;
