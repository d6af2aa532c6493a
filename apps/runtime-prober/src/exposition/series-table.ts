import type { Fingerprint } from './fingerprint.js';

/** What a table says of a series that is not in it. */
export const NEW = -2;
/** What stands for a series that was counted and not kept. */
export const UNKEPT = -1;

/** Low bits, high bits, and what stands for the series less `NEW`, so that an empty place is 0. */
const FIELDS = 3;
const FIRST_PLACES = 2_048;
/** Where so many neighbours are taken, somebody chose the names for it. */
const MOST_STEPS = 128;

/** Which series were met, by their fingerprints: an open table, in which a search takes a bounded number of steps. */
export class SeriesTable {
  private size = 0;
  private places = FIRST_PLACES;
  private entries = new Int32Array(FIRST_PLACES * FIELDS);

  /** What stands for a series, or `NEW`. */
  find({ low, high }: Fingerprint): number {
    const at = this.placeOf(low, high);
    return at < 0 ? NEW : (this.entries[at + 2] ?? 0) + NEW;
  }

  /**
   * What stands for a series that is there, or else `NEW`; then `standIn` stands for it from now on.
   * @param standIn a number from {@link UNKEPT} on
   */
  meet({ low, high }: Fingerprint, standIn: number): number {
    if (this.size * 2 >= this.places) this.widen();
    const at = this.placeOf(low, high);
    if (at < 0) return NEW;
    const before = (this.entries[at + 2] ?? 0) + NEW;
    if (before === NEW) {
      this.write(at, low, high, standIn);
      this.size += 1;
    }
    return before;
  }

  /** Where the series stands or would stand, or -1 where there is no room near. */
  private placeOf(low: number, high: number): number {
    const { entries, places } = this;
    for (let step = 0; step < MOST_STEPS; step++) {
      const at = ((low + step) & (places - 1)) * FIELDS;
      if (entries[at + 2] === 0 || (entries[at] === low && entries[at + 1] === high)) return at;
    }
    return -1;
  }

  private write(at: number, low: number, high: number, standIn: number): void {
    this.entries[at] = low;
    this.entries[at + 1] = high;
    this.entries[at + 2] = standIn - NEW;
  }

  private widen(): void {
    const before = this.entries;
    this.places *= 4;
    this.entries = new Int32Array(this.places * FIELDS);
    for (let index = 0; index < before.length; index += FIELDS) {
      const [low = 0, high = 0, held = 0] = [before[index], before[index + 1], before[index + 2]];
      const at = held === 0 ? -1 : this.placeOf(low, high);
      if (at >= 0) this.write(at, low, high, held + NEW);
    }
  }
}
