import type { CapacityEntry, CapacityHistory, HourlyPrice, OfferView, OffersAnswer } from '@davit/contracts';
import { duration } from './duration.js';
import { table } from './table.js';

/** One thing that was said of an offer, on one line: position, time, offer and what it is. */
export function historyLine(entry: CapacityEntry): string {
  const when = entry.time.slice(0, 19).replace('T', ' ');
  return `${String(entry.position).padStart(7)}  ${when}  ${entry.offer.padEnd(26)}  ${said(entry)}`.trimEnd();
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
  `${amount} ${currency} per ${unit} ${kind} by ${source}`;

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
    signalText(row),
    String(row.confidence),
    row.honesty.share === null ? '–' : `${row.honesty.share} of ${row.honesty.saidAvailable}`,
    row.reliability === null ? '–' : String(row.reliability.score),
    row.readyTime === null ? '–' : `${duration(row.readyTime.medianMs)} (p95 ${duration(row.readyTime.p95Ms)})`,
    row.prices.length === 0
      ? 'not known'
      : row.prices.map(({ price, stale }) => `${priceText(price)}${stale ? ' (stale)' : ''}`).join(', '),
  ]);
  const header = [
    'OFFER',
    'STOCK',
    'SIGNAL (AGE)',
    'CONFIDENCE',
    'HONESTY',
    'RELIABILITY',
    'TIME TO READY',
    'LAST PRICES',
  ];
  const back = lookedBackTo.time === null ? 'the log is empty' : `back to ${lookedBackTo.time}`;
  return `${table(header, rows)}\nSignals and prices were looked for ${back}.`;
}

const signalText = ({ signal, state }: OfferView): string =>
  signal === null
    ? 'none'
    : `${signal.source} (${duration(signal.ageMs)}${state === signal.state ? '' : `, was ${signal.state}`})`;
