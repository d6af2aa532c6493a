import type { Fingerprint } from './fingerprint.js';

type Print = Pick<Fingerprint, 'low' | 'high'>;

/** What a table says of a series that is not in it. */
export const NEW = -2;
/** What stands for a series that was counted and not kept. */
export const UNKEPT = -1;

/** Low bits, high bits, and what stands for the series. */
const FIELDS = 3;
const FIRST_PLACES = 2_048;
/** Where so many neighbours are taken, somebody chose the names for it. */
const MOST_STEPS = 128;
const MANY_PLACES = 32_768;
const NO_ROOM = -1;
const firstPlaces = (): Int32Array => new Int32Array(FIRST_PLACES);
const firstEntries = (): Int32Array => new Int32Array((FIRST_PLACES / 2) * FIELDS);

/**
 * Which series were met, by their fingerprints: an open table, in which a search takes a bounded number of steps. It holds numbers of
 * entries, which stand one behind the other, so that as few bytes as can be are looked up in no order.
 */
export class SeriesTable {
  private static spare: SeriesTable | undefined;
  /** Of the looks ahead; nobody needs it, and without it they would be left out. */
  seen = 0;
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

  /** The next new series makes it wider. */
  get isFull(): boolean {
    return this.size * 2 >= this.places.length;
  }

  /** Its places are too many for the nearest caches of a processor. */
  get isLarge(): boolean {
    return this.places.length >= MANY_PLACES;
  }

  /** Looks where series are about to be looked for, without asking what is there: such looks need not wait for one another. */
  lookAhead(series: readonly Print[], count: number): void {
    const { places, entries } = this;
    const mask = places.length - 1;
    let seen = 0;
    for (let index = 0; index < count; index++) {
      const number = places[(series[index]?.low ?? 0) & mask] ?? 0;
      seen ^= entries[number * FIELDS] ?? 0;
    }
    this.seen = seen;
  }

  /** What stands for a series, or `NEW`. */
  find({ low, high }: Print): number {
    const at = this.placeOf(low, high);
    return at === NO_ROOM ? NEW : this.standInAt(at);
  }

  /**
   * What stands for a series that is there, or else `NEW`; then `standIn` stands for it from now on.
   * @param standIn a number from {@link UNKEPT} on
   */
  meet({ low, high }: Print, standIn: number): number {
    if (this.isFull) this.widen();
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

  /** Becomes twice as wide, or as wide as so many series ask for. */
  widen(series = 0): void {
    const { entries, size } = this;
    let width = this.places.length * 2;
    while (width < series * 2) width *= 2;
    const wider = new Int32Array((width / 2) * FIELDS);
    wider.set(entries.subarray(0, size * FIELDS));
    this.entries = wider;
    this.places = new Int32Array(width);
    for (let number = 1; number <= size; number++) {
      const entry = (number - 1) * FIELDS;
      const at = this.placeOf(wider[entry] ?? 0, wider[entry + 1] ?? 0);
      if (at !== NO_ROOM) this.places[at] = number;
    }
  }
}
