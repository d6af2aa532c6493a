/** Invalid UTF-8 is replaced; a byte order mark is a character like any other. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const { imul } = Math;

/** Names, engines and bounds come again on every line and in every scrape. */
const LONGEST_KEPT = 64;
const SLOTS = 1_024;
const kept: (string | undefined)[] = Array.from({ length: SLOTS });

/** The text of some bytes. Short ones that were met before are the same string, without being decoded again. */
export function textOf(bytes: Buffer, from: number, to: number): string {
  const length = to - from;
  if (length === 0) return '';
  if (length > LONGEST_KEPT) return utf8.decode(bytes.subarray(from, to));
  const slot = slotOf(bytes, from, to);
  const before = kept[slot];
  if (before !== undefined && isText(before, bytes, from, length)) return before;
  const text = isAscii(bytes, from, to) ? bytes.toString('latin1', from, to) : utf8.decode(bytes.subarray(from, to));
  kept[slot] = text;
  return text;
}

/** For what is known to hold ASCII only, such as a number. */
export const asciiText = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

function slotOf(bytes: Uint8Array, from: number, to: number): number {
  const ends = ((bytes[from] ?? 0) << 8) ^ ((bytes[to - 1] ?? 0) << 4) ^ (bytes[to - 2] ?? 0);
  const middle = bytes[from + ((to - from) >> 1)] ?? 0;
  return imul(ends ^ (middle << 12) ^ (to - from), 0x9e3779b1) >>> 22;
}

/** A text with other characters than ASCII has fewer of them than it has bytes, or holds a character that is no byte. */
function isText(text: string, bytes: Uint8Array, from: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(index) !== bytes[from + index]) return false;
  }
  return true;
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] ?? 0) > 127) return false;
  return true;
}
