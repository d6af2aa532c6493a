import { createHash } from 'node:crypto';

/** A fraction from 0 up to 1 that a text decides: spreads what would otherwise happen at once, the same way at every fold. */
export const fractionOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
