import type { HourlyPrice, OfferView, OffersAnswer, Placement, StockSignal } from '@davit/contracts';
import {
  type OfferState,
  confidenceOf,
  honestyOf,
  judgePrice,
  offerKeyOf,
  readyTimeOf,
  reliabilityOf,
} from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import type { OfferFilter } from './offer-filter.js';

const PAGE = 1_000;
/** So many of the latest events are looked through for signals and prices. */
export const LOOKED_THROUGH = 20_000;

type Offer = OfferView['placement'];
type Found<Thing> = Thing & { readonly position: number };
type FoundPrice = { readonly price: HourlyPrice; readonly position: number | null };

interface Said {
  readonly offer: Offer;
  signal: Found<{ readonly signal: StockSignal }> | null;
  /** The last one by kind and source. */
  readonly prices: Map<string, FoundPrice>;
}

/** Each offer with what is known of it now: the last signal and its age, what own history says, the last prices by kind. */
export async function readOffers(
  log: Pick<EventLog, 'read' | 'head'>,
  records: readonly OfferState[],
  wanted: OfferFilter,
  nowMs: number,
): Promise<OffersAnswer> {
  const head = await log.head();
  const begin = Math.max(0, head - LOOKED_THROUGH);
  const said = new Map<string, Said>();
  for (const { key, offer, quotes = {} } of records) {
    const remembered = Object.values(quotes).map((price) => [nameOf(price), { price, position: null }] as const);
    said.set(key, { offer, signal: null, prices: new Map(remembered) });
  }
  let since: string | null = null;
  for (let position = begin; position < head;) {
    const page = await log.read(position, Math.min(PAGE, head - position));
    since ??= page[0]?.time ?? null;
    for (const event of page) {
      switch (event.type) {
        case 'davit.capacity.assessed':
        case 'davit.capacity.sampled':
          hear(said, event.data.placement, event.position, event.data.signal, event.data.signal.price);
          break;
        case 'davit.capacity.price-quoted':
          hear(said, event.data.placement, event.position, null, event.data.price);
          break;
        default:
      }
    }
    const last = page.at(-1);
    if (!last) break;
    position = last.position;
  }
  const byKey = new Map(records.map((record) => [record.key, record]));
  const items = [...said]
    .filter(([, { offer }]) => wanted(offer))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => viewOf(key, one, byKey.get(key), nowMs));
  return { position: head, items, lookedBackTo: { position: begin + 1, time: since } };
}

function hear(
  said: Map<string, Said>,
  placement: Placement,
  position: number,
  signal: StockSignal | null,
  price: HourlyPrice | null,
): void {
  const { cloud, region, accelerator, spot } = placement;
  const key = offerKeyOf(placement);
  const one = said.get(key) ?? { offer: { cloud, region, accelerator, spot }, signal: null, prices: new Map() };
  if (signal) one.signal = { signal, position };
  if (price) one.prices.set(nameOf(price), { price, position });
  said.set(key, one);
}

const nameOf = ({ kind, source, market }: HourlyPrice): string => `${kind} ${source} ${market ?? 'on-demand'}`;

function viewOf(
  offer: string,
  { offer: placement, signal: last, prices }: Said,
  record: OfferState | undefined,
  nowMs: number,
): OfferView {
  const signal = last?.signal;
  const holds = signal !== undefined && Date.parse(signal.expiresAt) > nowMs;
  return {
    offer,
    placement,
    state: holds ? signal.state : 'unknown',
    signal: last
      ? {
          state: last.signal.state,
          source: last.signal.source,
          scope: last.signal.scope,
          observedAt: last.signal.observedAt,
          expiresAt: last.signal.expiresAt,
          position: last.position,
          ageMs: Math.max(0, nowMs - Date.parse(last.signal.observedAt)),
        }
      : null,
    confidence: confidenceOf(record, nowMs),
    honesty: honestyOf(record),
    reliability: reliabilityOf(record),
    readyTime: readyTimeOf(record),
    prices: [...prices]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { price, position }]) => ({ price, position, stale: judgePrice(price, nowMs).status !== 'fresh' })),
  };
}
