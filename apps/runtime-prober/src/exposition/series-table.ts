import type { Fingerprint } from './fingerprint.js';

/** What a table says of a series that is not in it. */
export const NEW = -2;
/** What stands for a series that was counted and not kept. */
export const UNKEPT = -1;

/** Low bits, high bits, and what stands for the series. */
const FIELDS = 3;
const FIRST_PLACES = 2_048;
/** Where so many neighbours are taken, somebody chose the names for it. */
const MOST_STEPS = 128;
const NO_ROOM = -1;
const firstPlaces = (): Int32Array => new Int32Array(FIRST_PLACES);
const firstEntries = (): Int32Array => new Int32Array((FIRST_PLACES / 2) * FIELDS);

/**
 * Which series were met, by their fingerprints: an open table, in which a search takes a bounded number of steps. It holds numbers of
 * entries, which stand one behind the other, so that as few bytes as can be are looked up in no order.
 */
export class SeriesTable {
  private static spare: SeriesTable | undefined;
  private size = 0;
  /** Numbers of entries from 1 on; an empty place is 0. */
  private places = firstPlaces();
  private entries = firstEntries();

  /** An empty one. Bodies come one by one, and most need no larger one than the body before. */
  static take(): SeriesTable {
    const table = SeriesTable.spare ?? new SeriesTable();
    SeriesTable.spare = undefined;
    return table;
  }

  /** Nobody asks it any more. It stays even if it grew, without what it grew to: V8 drops the code of classes that no object is left of. */
  giveBack(): void {
    if (this.places.length === FIRST_PLACES) this.places.fill(0);
    else {
      this.places = firstPlaces();
      this.entries = firstEntries();
    }
    this.size = 0;
    SeriesTable.spare = this;
  }

  /** What stands for a series, or `NEW`. */
  find({ low, high }: Fingerprint): number {
    const at = this.placeOf(low, high);
    return at === NO_ROOM ? NEW : this.standInAt(at);
  }

  /**
   * What stands for a series that is there, or else `NEW`; then `standIn` stands for it from now on.
   * @param standIn a number from {@link UNKEPT} on
   */
  meet({ low, high }: Fingerprint, standIn: number): number {
    if (this.size * 2 >= this.places.length) this.widen();
    const at = this.placeOf(low, high);
    if (at === NO_ROOM) return NEW;
    const before = this.standInAt(at);
    if (before === NEW) {
      const entry = this.size * FIELDS;
      this.entries[entry] = low;
      this.entries[entry + 1] = high;
      this.entries[entry + 2] = standIn;
      this.size += 1;
      this.places[at] = this.size;
    }
    return before;
  }

  private standInAt(at: number): number {
    const number = this.places[at] ?? 0;
    return number === 0 ? NEW : (this.entries[(number - 1) * FIELDS + 2] ?? NEW);
  }

  /** Where the series stands or would stand. */
  private placeOf(low: number, high: number): number {
    const { places, entries } = this;
    const mask = places.length - 1;
    for (let step = 0; step < MOST_STEPS; step++) {
      const at = (low + step) & mask;
      const entry = ((places[at] ?? 0) - 1) * FIELDS;
      if (entry < 0 || (entries[entry] === low && entries[entry + 1] === high)) return at;
    }
    return NO_ROOM;
  }

  private widen(): void {
    const { entries, size } = this;
    const wider = new Int32Array(this.places.length * 2 * FIELDS);
    wider.set(entries);
    this.entries = wider;
    this.places = new Int32Array(this.places.length * 4);
    for (let number = 1; number <= size; number++) {
      const entry = (number - 1) * FIELDS;
      const at = this.placeOf(entries[entry] ?? 0, entries[entry + 1] ?? 0);
      if (at !== NO_ROOM) this.places[at] = number;
    }
  }
}
