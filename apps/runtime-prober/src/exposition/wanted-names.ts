import { Fingerprint } from './fingerprint.js';
import { HeadMemory } from './head.js';
import { Piece } from './piece.js';

type Known = { readonly name: string; readonly high: number };

/**
 * Names that somebody wants, found by their fingerprints without making a string of each name in a body. Make one of them for all
 * bodies that are read for the same names: it remembers how those are written.
 */
export class WantedNames {
  readonly names: ReadonlySet<string>;
  readonly heads = new HeadMemory();
  private readonly byLow = new Map<number, readonly Known[]>();

  /** @param names as they stand on the wire */
  constructor(names: Iterable<string>) {
    this.names = new Set(names);
    const fingerprint = new Fingerprint();
    for (const name of this.names) {
      const bytes = Buffer.from(name);
      fingerprint.read(new Piece(bytes), 0, bytes.length);
      const { low, high } = fingerprint;
      this.byLow.set(low, [...(this.byLow.get(low) ?? []), { name, high }]);
    }
  }

  find({ low, high }: Fingerprint): string | undefined {
    const found = this.byLow.get(low);
    if (!found) return undefined;
    for (const { name, high: own } of found) if (own === high) return name;
    return undefined;
  }
}
