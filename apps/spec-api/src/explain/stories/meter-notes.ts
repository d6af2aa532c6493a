import type { RecordedEvent, StoryLine } from '@davit/contracts';
import type { MachineRate, Meter } from '@davit/domain';
import { joined, lineOf } from '../line.js';

interface Note {
  readonly replica: string | null;
  readonly texts: string[];
}

/** What meters say of single events: where a price began, and from where to where a machine counted. */
export class MeterNotes {
  private readonly notes = new Map<number, Note>();

  add(replica: string | null, { since, position, rates, seen, ends }: Meter): void {
    const note = (at: number, text: string): void => {
      const known = this.notes.get(at) ?? { replica, texts: [] };
      known.texts.push(text);
      this.notes.set(at, known);
    };
    note(position, 'from here on it counts as billing');
    for (const rate of rates) note(rate.position, rateText(rate.price));
    for (const { fromPosition, untilPosition } of seen) {
      note(fromPosition, 'the provider shows it run: what it costs from here on is confirmed');
      if (untilPosition !== null) note(untilPosition, 'it is shown no more: what it costs from here on is only held');
    }
    for (const end of ends) note(end.position, endText(end.until, since));
  }

  has(position: number): boolean {
    return this.notes.has(position);
  }

  /** The lines of a story, with what is to be said of the costs of each; and a line for each event that had none. */
  addedTo(lines: readonly StoryLine[], events: readonly RecordedEvent[]): StoryLine[] {
    const told = new Set(lines.map(({ position }) => position));
    const silent = [...new Map(events.map((event) => [event.position, event])).values()].flatMap((event) => {
      const note = this.notes.get(event.position);
      if (!note || told.has(event.position)) return [];
      return [lineOf(event, { topic: 'cost', replica: note.replica, text: joined(...note.texts) })];
    });
    const noted = lines.map((line): StoryLine => {
      const note = this.notes.get(line.position);
      return note ? { ...line, topic: 'cost', text: joined(line.text, ...note.texts) } : line;
    });
    return [...noted, ...silent].sort((a, b) => a.position - b.position);
  }
}

const rateText = (price: MachineRate | null): string =>
  price
    ? `the machine costs ${price.amount} ${price.currency} an hour (${price.kind} by ${price.source})`
    : 'what the machine costs nobody said';

function endText(until: string | null, since: string): string {
  if (until === null) return 'it is not gone after all, and counts as billing';
  return until === since ? 'there never was a machine: nothing was spent on it' : 'it counts as billing no more';
}
