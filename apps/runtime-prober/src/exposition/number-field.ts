import { DOT, ENDS_LINE, IS_BLANK, MINUS, PLUS, isOf } from './characters.js';
import { asciiText } from './text.js';

/** `none`: the field is no number at all. */
export type NumberKind = 'decimal' | 'non-finite' | 'none';

/** Up to here a power of ten is a double without error, and so is a whole number of fifteen digits. */
const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const EXACT_DIGITS = 15;
/** A number of so many digits before its point is finite, whatever they are. */
const FINITE_DIGITS = 308;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;
const LONGEST_NOT_FINITE = '+infinity'.length;

/** A number as it stands in an exposition; used again for every number, so that reading one allocates nothing. */
export class NumberField {
  /** Infinite where the decimal is too large for a double, and no number where the field is a word. */
  value = 0;
  hasExponent = false;
  /** The place after the field. */
  end = 0;
  private exponent = 0;

  /**
   * Reads the field at `from`, which reaches up to the next blank or to `lineEnd`:
   * `[+-]?(digits[.digits*] | .digits)([eE][+-]?digits)?`. Hexadecimal numbers, separators and words other than those for infinity
   * and "not a number" are none.
   * @param lineEnd or the place of no byte, where it is not known yet: then a field is one only if a blank or a line feed ends it
   * @param isExact false where only the kind is asked for: then the value of a long decimal is not worked out
   */
  read(bytes: Buffer, from: number, lineEnd: number, isExact = true): NumberKind {
    const sign = bytes[from];
    let at = sign === PLUS || sign === MINUS ? from + 1 : from;
    const digitsFrom = at;
    let mantissa = 0;
    let digit = digitOf(bytes[at]);
    while (digit <= 9) {
      mantissa = mantissa * 10 + digit;
      at += 1;
      digit = digitOf(bytes[at]);
    }
    let digits = at - digitsFrom;
    let exponent = 0;
    if (bytes[at] === DOT) {
      at += 1;
      digit = digitOf(bytes[at]);
      while (digit <= 9) {
        mantissa = mantissa * 10 + digit;
        exponent -= 1;
        at += 1;
        digit = digitOf(bytes[at]);
      }
      digits -= exponent;
    }
    this.hasExponent = false;
    if (digits === 0) return this.readWord(bytes, from, lineEnd);
    if (isExponentMark(bytes[at])) {
      at = this.readExponent(bytes, at + 1);
      if (at < 0) return 'none';
      exponent += this.exponent;
    }
    if (at !== lineEnd && !isOf(bytes[at], IS_BLANK | ENDS_LINE)) return 'none';
    this.end = at;
    if (!isExact && digits + exponent <= FINITE_DIGITS) this.value = 0;
    else if (digits > EXACT_DIGITS || exponent > 22 || exponent < -22) this.value = Number(asciiText(bytes, from, at));
    else this.value = sign === MINUS ? -scaled(mantissa, exponent) : scaled(mantissa, exponent);
    return this.value - this.value === 0 ? 'decimal' : 'non-finite';
  }

  /** @returns the place after the digits of an exponent, or -1 where there are none */
  private readExponent(bytes: Uint8Array, from: number): number {
    this.hasExponent = true;
    const sign = bytes[from];
    const digitsFrom = sign === PLUS || sign === MINUS ? from + 1 : from;
    let at = digitsFrom;
    let written = 0;
    for (let digit = digitOf(bytes[at]); digit <= 9; digit = digitOf(bytes[at])) {
      written = written * 10 + digit;
      at += 1;
    }
    this.exponent = sign === MINUS ? -written : written;
    return at === digitsFrom ? -1 : at;
  }

  private readWord(bytes: Buffer, from: number, lineEnd: number): NumberKind {
    let at = from;
    while (at < lineEnd && at - from <= LONGEST_NOT_FINITE && !isOf(bytes[at], IS_BLANK)) at += 1;
    this.end = at;
    this.value = Number.NaN;
    return NOT_FINITE.test(asciiText(bytes, from, at)) ? 'non-finite' : 'none';
  }
}

/** @param exponent from -22 to 22 */
const scaled = (mantissa: number, exponent: number): number =>
  exponent < 0 ? mantissa / (EXACT_POWERS[-exponent] ?? 1) : mantissa * (EXACT_POWERS[exponent] ?? 1);

/** Of a digit its value, of any other byte more than 9. */
const digitOf = (byte: number | undefined): number => ((byte ?? 0) ^ 48) & 255;

const isExponentMark = (byte: number | undefined): boolean => byte === 101 || byte === 69;
