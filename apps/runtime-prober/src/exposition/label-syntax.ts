import {
  BACKSLASH,
  CLOSE_BRACE,
  COMMA,
  EQUALS,
  IN_LABEL,
  LOWER_N,
  QUOTE,
  STARTS_LABEL,
  afterBlanks,
  isOf,
} from './characters.js';

/** The length of the name of a label at `from`; 0 where none begins. */
export function lengthOfName(bytes: Uint8Array, from: number): number {
  if (!isOf(bytes[from], STARTS_LABEL)) return 0;
  let at = from + 1;
  while (isOf(bytes[at], IN_LABEL)) at += 1;
  return at - from;
}

/** The place after the equals sign and the quote that follow a name, or -1 where they do not. */
export function beginOfValue(bytes: Uint8Array, from: number): number {
  if (bytes[from] === EQUALS && bytes[from + 1] === QUOTE) return from + 2;
  const equals = afterBlanks(bytes, from);
  if (bytes[equals] !== EQUALS) return -1;
  const quote = afterBlanks(bytes, equals + 1);
  return bytes[quote] === QUOTE ? quote + 1 : -1;
}

/** The place after the comma that ends a label, or that of the closing brace; -1 where neither follows. */
export function afterComma(bytes: Uint8Array, from: number): number {
  const next = bytes[from];
  if (next === CLOSE_BRACE) return from;
  const at = next === COMMA ? from : afterBlanks(bytes, from);
  if (bytes[at] === COMMA) return afterBlanks(bytes, at + 1);
  return bytes[at] === CLOSE_BRACE ? at : -1;
}

export const isEscaped = (byte: number | undefined): boolean =>
  byte === BACKSLASH || byte === QUOTE || byte === LOWER_N;

export const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
