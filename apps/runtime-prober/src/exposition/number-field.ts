import { DOT, IS_BLANK, MINUS, PLUS, isOf } from './characters.js';
import { asciiText } from './text.js';

/** `none`: the field is no number at all. */
export type NumberKind = 'decimal' | 'non-finite' | 'none';

/** Up to here a power of ten is a double without error, and so is a whole number of fifteen digits. */
const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const EXACT_DIGITS = 15;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;
const LONGEST_NOT_FINITE = '+infinity'.length;

/** A number as it stands in an exposition; used again for every number, so that reading one allocates nothing. */
export class NumberField {
  /** Infinite where the decimal is too large for a double, and no number where the field is a word. */
  value = 0;
  hasExponent = false;
  /** The place after the field. */
  end = 0;

  /**
   * Reads the field at `from`, which reaches up to the next blank or to `lineEnd`:
   * `[+-]?(digits[.digits*] | .digits)([eE][+-]?digits)?`. Hexadecimal numbers, separators and words other than those for infinity
   * and "not a number" are none.
   */
  read(bytes: Uint8Array, from: number, lineEnd: number): NumberKind {
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
      this.hasExponent = true;
      at += 1;
      const exponentSign = bytes[at];
      if (exponentSign === PLUS || exponentSign === MINUS) at += 1;
      const exponentFrom = at;
      let written = 0;
      digit = digitOf(bytes[at]);
      while (digit <= 9) {
        written = written * 10 + digit;
        at += 1;
        digit = digitOf(bytes[at]);
      }
      if (at === exponentFrom) return 'none';
      exponent += exponentSign === MINUS ? -written : written;
    }
    if (at !== lineEnd && !isOf(bytes[at], IS_BLANK)) return 'none';
    this.end = at;
    if (digits > EXACT_DIGITS || exponent > 22 || exponent < -22) this.value = Number(asciiText(bytes, from, at));
    else {
      const plain = exponent < 0 ? mantissa / (EXACT_POWERS[-exponent] ?? 1) : mantissa * (EXACT_POWERS[exponent] ?? 1);
      this.value = sign === MINUS ? -plain : plain;
    }
    return this.value - this.value === 0 ? 'decimal' : 'non-finite';
  }

  private readWord(bytes: Uint8Array, from: number, lineEnd: number): NumberKind {
    let at = from;
    while (at < lineEnd && at - from <= LONGEST_NOT_FINITE && !isOf(bytes[at], IS_BLANK)) at += 1;
    this.end = at;
    this.value = Number.NaN;
    return NOT_FINITE.test(asciiText(bytes, from, at)) ? 'non-finite' : 'none';
  }
}

/** Of a digit its value, of any other byte more than 9. */
const digitOf = (byte: number | undefined): number => ((byte ?? 0) ^ 48) & 255;

const isExponentMark = (byte: number | undefined): boolean => byte === 101 || byte === 69;
