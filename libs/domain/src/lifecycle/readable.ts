import { type Meter, type RatePeriod } from './meter.js';

/** What may be computed with: anything else that stands where an amount should is a price that nobody can read. */
export const isAmount = (value: unknown): value is string => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);

/**
 * The meter with every price that cannot be read as an unknown one, which is never zero: one machine's books in disorder stop no
 * sum over many (laws 4 and 10). Undefined where not even its times can be read.
 */
export function readableMeter(meter: Meter): Meter | undefined {
  const { rates, seen, ends } = meter as { readonly [Key in keyof Meter]?: Meter[Key] };
  const [first, ...rest] = rates ?? [];
  if (!first || seen === undefined || ends === undefined || !isInstant(meter.since) || !isEnd(meter.until))
    return undefined;
  const instants = [first, ...rest, ...seen].every(({ from }) => isInstant(from));
  if (!instants || ![...seen, ...ends].every(({ until }) => isEnd(until))) return undefined;
  if (!ends.every(({ at }) => isInstant(at))) return undefined;
  if ([first, ...rest].every(isReadable)) return meter;
  const read = (period: RatePeriod): RatePeriod => (isReadable(period) ? period : { ...period, price: null });
  return { ...meter, rates: [read(first), ...rest.map(read)] };
}

const isReadable = ({ price }: RatePeriod): boolean => price === null || isAmount(price.amount);
const isInstant = (text: unknown): boolean => typeof text === 'string' && !Number.isNaN(Date.parse(text));
const isEnd = (text: unknown): boolean => text === null || isInstant(text);
