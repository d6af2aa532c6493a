/**
 * Decimal amounts as text, compared and added without floats (law 14).
 * Amounts are non-negative; any number of decimals.
 */
type Scaled = { readonly units: bigint; readonly decimals: number };

function scaled(amount: string): Scaled {
  const { digits, decimals } = written(amount);
  return { units: BigInt(digits), decimals };
}

/** The digits of an amount without its point, and how many of them stand behind it. */
function written(amount: string): { readonly digits: string; readonly decimals: number } {
  const point = amount.indexOf('.');
  if (point === -1) return { digits: amount, decimals: 0 };
  return { digits: amount.slice(0, point) + amount.slice(point + 1), decimals: amount.length - point - 1 };
}

const align = (a: Scaled, b: Scaled): readonly [bigint, bigint, number] => {
  const decimals = Math.max(a.decimals, b.decimals);
  return [a.units * 10n ** BigInt(decimals - a.decimals), b.units * 10n ** BigInt(decimals - b.decimals), decimals];
};

/** @param units whole, and exact: a bigint or a safe integer */
function format(units: bigint | number, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const ZERO = 48; // the character code of "0"

/** Where the decimals of an amount begin, or would begin. */
function pointOf(amount: string): number {
  const at = amount.indexOf('.');
  return at === -1 ? amount.length : at;
}

function withoutLeadingZeros(amount: string, point: number): number {
  let start = 0;
  while (start < point && amount.charCodeAt(start) === ZERO) start += 1;
  return start;
}

/**
 * Negative, zero or positive as `a` is less than, equal to or more than `b`. Digit by digit: thousands of prices are put in
 * order for one plan.
 */
export function compareAmounts(a: string, b: string): number {
  const [aPoint, bPoint] = [pointOf(a), pointOf(b)];
  const [aStart, bStart] = [withoutLeadingZeros(a, aPoint), withoutLeadingZeros(b, bPoint)];
  const whole = aPoint - aStart;
  if (whole !== bPoint - bStart) return whole - (bPoint - bStart);
  for (let at = 0; at < whole; at++) {
    const difference = a.charCodeAt(aStart + at) - b.charCodeAt(bStart + at);
    if (difference !== 0) return difference;
  }
  const decimals = Math.max(a.length - aPoint, b.length - bPoint);
  for (let at = 1; at < decimals; at++) {
    const difference = digitAt(a, aPoint + at) - digitAt(b, bPoint + at);
    if (difference !== 0) return difference;
  }
  return 0;
}

const digitAt = (amount: string, at: number): number => (at < amount.length ? amount.charCodeAt(at) : ZERO);

/**
 * A number for each amount; they compare as the amounts do, and equal amounts have the same. Those that are not known come last.
 * Whole numbers of one common unit where all of them are exact, else places in line.
 */
export function orderOf(amounts: readonly (string | null)[]): readonly number[] {
  let decimals = 0;
  for (const amount of amounts) if (amount !== null) decimals = Math.max(decimals, written(amount).decimals);
  const units = amounts.map((amount) => amount && digitsTo(amount, decimals));
  if (units.some((digits) => digits !== null && digits.length > EXACT_DIGITS)) return placesOf(amounts);
  return units.map((digits) => (digits === null ? Infinity : Number(digits)));
}

/** Whole numbers of so many digits are below 2^53. */
const EXACT_DIGITS = 15;

/** The digits of an amount down to so many decimals, which are no fewer than it has. */
function digitsTo(amount: string, decimals: number): string {
  const { digits, decimals: had } = written(amount);
  return digits.padEnd(digits.length + decimals - had, '0');
}

function placesOf(amounts: readonly (string | null)[]): readonly number[] {
  const places = new Map<string | null, number>();
  let before: string | undefined;
  let place = 0;
  for (const amount of [...new Set(amounts)].filter((one) => one !== null).sort(compareAmounts)) {
    if (before !== undefined && compareAmounts(before, amount) < 0) place += 1;
    places.set(amount, place);
    before = amount;
  }
  return amounts.map((amount) => places.get(amount) ?? Infinity);
}

export function addAmounts(a: string, b: string): string {
  const [left, right, decimals] = align(scaled(a), scaled(b));
  return format(left + right, decimals);
}

/** `a` less `b`, which is at most `a`. */
export function subtractAmounts(a: string, b: string): string {
  const [left, right, decimals] = align(scaled(a), scaled(b));
  return format(left - right, decimals);
}

/** `amount` times a whole number, for example the price of n machines. */
export function multiplyAmount(amount: string, times: number): string {
  const { digits, decimals } = written(amount);
  const product = Number(digits) * times;
  // Whole numbers below 2^53 are exact, and rounding never brings a larger product back below it.
  return format(Number.isSafeInteger(product) ? product : BigInt(digits) * BigInt(times), decimals);
}

/** The exact product of two decimals, for example an amount and a tolerance; without needless zeros at its end. */
export function timesDecimal(a: string, b: string): string {
  const [left, right] = [scaled(a), scaled(b)];
  const product = format(left.units * right.units, left.decimals + right.decimals);
  return product.includes('.') ? product.replace(/\.?0+$/, '') : product;
}

/**
 * `a` divided by `b`, rounded half up to so many decimals.
 * @throws RangeError for a division by zero
 */
export function divideDecimal(a: string, b: string, decimals: number): string {
  const [left, right] = align(scaled(a), scaled(b));
  const numerator = left * 10n ** BigInt(decimals);
  return format((2n * numerator + right) / (2n * right), decimals);
}

/** `amount` divided by a whole number, rounded half up to so many decimals. */
export function divideAmount(amount: string, divisor: number, decimals: number): string {
  const { units, decimals: had } = scaled(amount);
  const denominator = BigInt(divisor) * 10n ** BigInt(had);
  const numerator = units * 10n ** BigInt(decimals);
  return format((2n * numerator + denominator) / (2n * denominator), decimals);
}
