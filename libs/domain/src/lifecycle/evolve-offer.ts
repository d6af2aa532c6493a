import type { ErrorClass, HourlyPrice, Placement, RecordedEvent, StockState } from '@davit/contracts';
import { isRefusal } from '../replica/failure.js';
import { withoutKey } from '../without-key.js';
import { type Offer, offerKeyOf } from '../placement/offer.js';

/** So many of the latest are kept of each. */
const KEPT = 50;

/** What was made of one offer so far: every start on it and how it ended (scores of a provider rest on nothing else), and what it was said to cost. */
export type OfferState = {
  readonly key: string;
  readonly offer: Offer;
  /** Starts that have not ended, by replica, oldest first. */
  readonly open: Readonly<Record<string, OpenTry>>;
  /** Starts that ended, oldest first. */
  readonly tries: readonly OfferTry[];
  /** Replicas that served on it and were lost, oldest first. */
  readonly losses: readonly { readonly replicaId: string; readonly at: string; readonly position: number }[];
  /** The last price told of by each source, by {@link quoteKeyOf}. Absent while there was none. */
  readonly quotes?: Readonly<Record<string, HourlyPrice>>;
  /** When its stock and price were last sampled; absent while they never were. */
  readonly sampledAt?: string;
};

/** Prices of one source, kind and market replace each other; others stand beside them. */
export const quoteKeyOf = ({ source, kind, market }: HourlyPrice): string =>
  [source, kind, market ?? 'on-demand'].join('/');

export type OpenTry = {
  readonly at: string;
  /** What the signal said of stock when it was chosen. */
  readonly said: StockState;
  readonly source: string;
};

export type OfferTry = OpenTry & {
  readonly replicaId: string;
  readonly endedAt: string;
  readonly outcome: 'served' | 'refused' | 'failed';
  /** Of what ended it; null where it served. */
  readonly class: ErrorClass | null;
  readonly detail: string;
  /** Of the event that ended it. */
  readonly position: number;
};

/** Key of the offer that an event tells of; undefined for events of no offer. */
export function offerRefOf(event: RecordedEvent): string | undefined {
  const placement = placementIn(event);
  return placement ? offerKeyOf(placement) : undefined;
}

function placementIn(event: RecordedEvent): Placement | null | undefined {
  switch (event.type) {
    case 'davit.replica.placed':
      return event.data.adopted ? null : event.data.placement;
    case 'davit.replica.ready':
    case 'davit.replica.failed':
    case 'davit.capacity.sampled':
    case 'davit.capacity.price-quoted':
      return event.data.placement;
    default:
      return null;
  }
}

export function evolveOffer(before: OfferState | undefined, event: RecordedEvent): OfferState | undefined {
  const placement = placementIn(event);
  if (!placement) return before;
  const state = before ?? emptyOffer(placement);
  switch (event.type) {
    case 'davit.replica.placed': {
      const chosen = event.data.evidence.find(({ verdict }) => verdict === 'chosen');
      const opened = { at: event.time, said: chosen?.state ?? 'unknown', source: chosen?.source ?? 'none' };
      const open = [
        ...Object.entries(withoutKey(state.open, event.data.replicaId)),
        [event.data.replicaId, opened] as const,
      ];
      return { ...state, open: Object.fromEntries(open.slice(-KEPT)) };
    }
    case 'davit.replica.ready':
      return ended(state, event, { outcome: 'served', class: null, detail: '' });
    case 'davit.replica.failed': {
      const { hadServed, replicaId, reason, detail, class: failureClass } = event.data;
      if (hadServed) {
        const loss = { replicaId, at: event.time, position: event.position };
        return { ...state, losses: [...state.losses, loss].slice(-KEPT) };
      }
      const outcome = isRefusal(failureClass) ? 'refused' : 'failed';
      return ended(state, event, { outcome, class: failureClass, detail: `${reason}: ${detail}` });
    }
    case 'davit.capacity.sampled':
      return { ...state, sampledAt: event.time };
    case 'davit.capacity.price-quoted': {
      const { price } = event.data;
      return { ...state, quotes: { ...state.quotes, [quoteKeyOf(price)]: price } };
    }
    default:
      return before;
  }
}

type End = { readonly time: string; readonly position: number; readonly data: { readonly replicaId: string } };

function ended(state: OfferState, event: End, how: Pick<OfferTry, 'outcome' | 'class' | 'detail'>): OfferState {
  const { replicaId } = event.data;
  const open = state.open[replicaId];
  // An adopted machine, or a start so long ago that it was forgotten, says nothing of how offers go.
  if (!open) return state;
  const entry: OfferTry = { ...open, ...how, replicaId, endedAt: event.time, position: event.position };
  return { ...state, open: withoutKey(state.open, replicaId), tries: [...state.tries, entry].slice(-KEPT) };
}

const emptyOffer = ({ cloud, region, accelerator, spot }: Placement): OfferState => {
  const offer = { cloud, region, accelerator, spot };
  return { key: offerKeyOf(offer), offer, open: {}, tries: [], losses: [] };
};
