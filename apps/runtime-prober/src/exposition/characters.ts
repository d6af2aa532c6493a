/** Bytes that mean something in an exposition. */
export const TAB = 9;
export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;
export const BLANK = 32;
export const QUOTE = 34;
export const HASH = 35;
export const PLUS = 43;
export const COMMA = 44;
export const MINUS = 45;
export const DOT = 46;
export const EQUALS = 61;
export const BACKSLASH = 92;
export const LOWER_N = 110;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;

/** What a byte may be part of; several may be set. */
export const IS_BLANK = 1;
export const STARTS_LABEL = 2;
export const IN_LABEL = 4;
export const STARTS_NAME = 8;
export const IN_NAME = 16;
export const ENDS_QUOTED_RUN = 32;
export const ENDS_LINE = 64;

/** The classes of each byte. Bytes of multi-byte characters have none: they stand inside quotes only. */
export const CLASSES: Uint8Array = new Uint8Array(256);

function mark(first: string, last: string, classes: number): void {
  for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code++) CLASSES[code] = classOf(code) | classes;
}
const classOf = (code: number): number => CLASSES[code] ?? 0;

const LETTER = STARTS_LABEL | IN_LABEL | STARTS_NAME | IN_NAME;
mark('a', 'z', LETTER);
mark('A', 'Z', LETTER);
mark('_', '_', LETTER);
mark(':', ':', STARTS_NAME | IN_NAME);
mark('0', '9', IN_LABEL | IN_NAME);
mark(' ', ' ', IS_BLANK);
mark('\t', '\t', IS_BLANK);
for (const stop of ['"', '\\', '\n']) mark(stop, stop, ENDS_QUOTED_RUN);
mark('\n', '\n', ENDS_LINE);

/** Whether a byte is of a class. */
export const isOf = (byte: number | undefined, classes: number): boolean => ((CLASSES[byte ?? 0] ?? 0) & classes) !== 0;

/** The first place at or after `at` that holds no blank. */
export function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isOf(bytes[at], IS_BLANK)) at += 1;
  return at;
}
