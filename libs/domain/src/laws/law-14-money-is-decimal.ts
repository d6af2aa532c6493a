import { type EventData, type HourlyPrice, type RecordedEvent, hourlyPrice } from '@davit/contracts';
import { compareAmounts } from '../money.js';
import { describePlacement } from '../placement/describe.js';
import { CLOCK_SKEW_MS, judgePrice } from '../prices/judge.js';
import { wholeMachine } from '../prices/machine.js';
import { type Amount, amountsIn, isPrice, isSum } from './amounts.js';
import { defineLaw, keyOf } from './violation.js';

/** So many of the latest prices are remembered, to notice one that comes back as another fact. */
const PRICES_KEPT = 10_000;
const CURRENCY = /^[A-Z]{3}$/;
const DECIMAL = /^\d+(\.\d+)?$/;

type Kind = { readonly kind: HourlyPrice['kind']; readonly position: number };

/**
 * Law 14: every amount is decimal text; a price has currency, unit, source and a time that is not to come; quoted, catalogue
 * and billed prices stay three facts; what a replica was placed for is what its evidence says.
 */
export const law14 = defineLaw('law-14-money-is-decimal', (report, { clockSkewMs }) => {
  const kinds = new Map<string, Kind>();

  function seeAmount(event: RecordedEvent, amount: Amount): void {
    const { path, value, beside } = amount;
    const wrong = (what: string, evidence: readonly number[] = []): void =>
      report(event, keyOf(event), `${path} ${what}`, evidence);
    if (value === null || value === undefined) return;
    if (typeof value !== 'string' || !DECIMAL.test(value)) {
      wrong(`is ${JSON.stringify(value)}, which is not decimal text`);
      return;
    }
    if (isSum(amount) && !CURRENCY.test(String(beside['currency']))) wrong('has no currency');
    if (!isPrice(amount)) return;
    const price = hourlyPrice.safeParse(beside);
    if (!price.success) {
      wrong(`lacks a right ${[...new Set(price.error.issues.map((issue) => issue.path.join('.')))].join(', ')}`);
      return;
    }
    const { kind, observedAt } = price.data;
    if (Date.parse(observedAt) > Date.parse(event.time) + Math.max(clockSkewMs, CLOCK_SKEW_MS))
      wrong(`was observed at ${observedAt}, to come`);
    const before = rememberKind(price.data, event.position);
    if (before && before.kind !== kind) wrong(`is called ${kind}, and was ${before.kind}`, [before.position]);
  }

  /** What this very price was called before. */
  function rememberKind(price: HourlyPrice, position: number): Kind | undefined {
    const { source, observedAt, amount, currency, unit, market, workerState, kind } = price;
    const name = [source, observedAt, amount, currency, unit, market, workerState].join('|');
    const before = kinds.get(name);
    kinds.delete(name);
    kinds.set(name, before ?? { kind, position });
    const [oldest] = kinds.keys();
    if (kinds.size > PRICES_KEPT && oldest !== undefined) kinds.delete(oldest);
    return before;
  }

  function seePlaced(event: RecordedEvent, { replicaId, placement, price, evidence }: Placed): void {
    const chosen = evidence.find(({ verdict }) => verdict === 'chosen');
    // Logs of older versions do not say it.
    if (!placement || chosen?.price === undefined) return;
    const other = chosen.price;
    const agree =
      price === null || other === null
        ? price === null && isNoLongerFresh(other, event)
        : price.currency === other.currency &&
          price.kind === other.kind &&
          price.source === other.source &&
          price.observedAt === other.observedAt &&
          compareAmounts(wholeMachine(price, placement), wholeMachine(other, placement)) === 0;
    if (!agree)
      report(
        event,
        replicaId,
        `placed on ${describePlacement(placement)} for ${said(price)}, and its evidence says ${said(other)}`,
      );
  }

  return {
    see(event) {
      for (const amount of amountsIn(event.data)) seeAmount(event, amount);
      if (event.type === 'davit.replica.placed') seePlaced(event, event.data);
    },
  };
});

/** A price past its lifetime is shown as evidence, and nothing is placed for it. */
const isNoLongerFresh = (price: HourlyPrice | null, { time }: RecordedEvent): boolean =>
  judgePrice(price, Date.parse(time)).status !== 'fresh';

type Placed = EventData<'davit.replica.placed'>;

const said = (price: HourlyPrice | null): string =>
  price
    ? `${price.amount} ${price.currency} (${price.kind}, ${price.source}, ${price.observedAt})`
    : 'no price that is known';
