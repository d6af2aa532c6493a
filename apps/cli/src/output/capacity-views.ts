import type { CapacityEntry, CapacityHistory, HourlyPrice, OfferView, OffersAnswer } from '@davit/contracts';
import { duration } from './duration.js';
import { table } from './table.js';
import { proseWidth, wrap } from './wrap.js';

/** One thing that was said of an offer: position, time, offer and what it is; what is longer goes on below, indented. */
export function historyLine(entry: CapacityEntry): string {
  const when = entry.time.slice(0, 19).replace('T', ' ');
  const head = `${String(entry.position).padStart(7)}  ${when}  `;
  return wrap(`${entry.offer.padEnd(22)}  ${said(entry)}`.trimEnd(), proseWidth() - head.length, 2)
    .map((line, index) => `${index === 0 ? head : ' '.repeat(head.length)}${line}`)
    .join('\n');
}

function said(entry: CapacityEntry): string {
  switch (entry.kind) {
    case 'signal': {
      const holds = Date.parse(entry.expiresAt) - Date.parse(entry.observedAt);
      return [
        `${entry.state} (${entry.source}, ${entry.scope}, holds ${duration(holds)})`,
        entry.price === null ? null : priceText(entry.price),
        entry.state === 'unknown' && entry.detail !== '' ? entry.detail : null,
        entry.unknownSince === null ? null : `nothing known before, since ${entry.unknownSince.slice(11, 19)}`,
      ]
        .filter((part) => part !== null)
        .join('; ');
    }
    case 'unknown':
      return `unknown from here${entry.until === null ? '' : ` until ${entry.until.slice(11, 19)}`}: the signal ran out`;
    case 'price':
      return `price ${priceText(entry.price)}`;
    case 'advice-failed':
      return `advice failed (${entry.source}): ${entry.detail}`;
    case 'start':
      return [
        `${entry.step} ${entry.replica}`,
        entry.price === null ? null : `for ${priceText(entry.price)}`,
        entry.detail,
      ]
        .filter((part) => part !== null && part !== '')
        .join('; ');
  }
}

const priceText = ({ amount, currency, unit, kind, source }: HourlyPrice): string =>
  `${amount} ${currency} ${unit === 'gpu-hour' ? 'a card and hour' : 'an hour'}, ${kind} by ${source}`;

export function historySummary({ items, from, to, next, notes }: CapacityHistory): string {
  const nothing = items.length === 0 && next === null ? `nothing is recorded from ${from} to ${to}` : null;
  const more = next === null ? null : `There is more: the same command with --after ${next}.`;
  return [nothing, ...notes, more].filter((line) => line !== null).join('\n');
}

export function offersTable({ items, lookedBackTo }: OffersAnswer): string {
  if (items.length === 0) return 'no offers';
  const rows = items.map((row) => [
    row.offer,
    row.state,
    String(row.confidence),
    row.honesty.share === null ? '–' : keptText(row.honesty),
    row.reliability === null ? '–' : String(row.reliability.score),
    row.readyTime === null ? '–' : `${duration(row.readyTime.medianMs)} (p95 ${duration(row.readyTime.p95Ms)})`,
  ]);
  const header = ['OFFER', 'STOCK', 'CONFIDENCE', 'HONESTY', 'RELIABILITY', 'TIME TO READY'];
  const back = lookedBackTo.time === null ? 'the log is empty' : `back to ${lookedBackTo.time}`;
  const [titles = '', ...lines] = table(header, rows).split('\n');
  const told = lines.flatMap((line, index) => [line, ...below(items[index])]);
  return [titles, ...told, `Signals and prices were looked for ${back}.`].join('\n');
}

/** The last signal, and the last price of each source: below the offer. */
function below(offer: OfferView | undefined): string[] {
  if (!offer) return [];
  const { prices } = offer;
  return [`    signal ${signalText(offer)}`, ...(prices.length === 0 ? ['    price not known'] : pricesText(prices))];
}

function pricesText(prices: OfferView['prices']): string[] {
  return prices.map(({ price, stale }) => `    price ${priceText(price)}${stale ? ' (stale)' : ''}`);
}

/** `3 of 4` promises of stock were kept. */
const keptText = ({ saidAvailable, refused }: OfferView['honesty']): string =>
  `${saidAvailable - refused} of ${saidAvailable}`;

const signalText = ({ signal, state }: OfferView): string =>
  signal === null
    ? 'none'
    : `${signal.state} by ${signal.source} ${duration(signal.ageMs)} ago${state === signal.state ? '' : ', which has run out'}`;
