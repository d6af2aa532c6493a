/** How much is asked of each operation. */
export interface Extent {
  /** Requests that are made up at random, right ones and wrong ones. */
  readonly random: number;
  /** About so many of those that go through every bound of the schema; null for all of them. */
  readonly bounds: number | null;
}

const USUAL: Extent = { random: 40, bounds: 100 };
/** Twice as many requests and more, which take some ten minutes. */
const DEEP: Extent = { random: 100, bounds: null };
const FLAG = '--deep';

/**
 * Reads a command line: `--deep` asks everything, and the rest are arguments of schemathesis, for example `--include-path /v1/diff`
 * or `--seed 7`.
 */
export function readArguments(argv: readonly string[]): { readonly extent: Extent; readonly more: readonly string[] } {
  const more = argv.filter((argument) => argument !== FLAG);
  return { extent: more.length < argv.length ? DEEP : USUAL, more };
}
