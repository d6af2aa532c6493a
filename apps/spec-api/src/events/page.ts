import type { RecordedEvent } from '@davit/contracts';
import { type EventFilter, isWhole, selected } from '@davit/domain';
import { eventIn, frameOf } from './frames.js';

/**
 * An event of the log, and its bytes from when somebody is sent it: they are made once, however many get them. What is kept for
 * long is kept as bytes alone, which are a fifth of it and stand outside of the heap.
 */
export class Entry {
  readonly position: number;
  private known: RecordedEvent | undefined;
  private bytes: Buffer | undefined;

  constructor(event: RecordedEvent) {
    this.position = event.position;
    this.known = event;
  }

  get event(): RecordedEvent {
    return this.known ?? eventIn(this.frame);
  }

  get frame(): Buffer {
    return (this.bytes ??= frameOf(this.event));
  }

  pack(): void {
    this.bytes = this.frame;
    this.known = undefined;
  }
}

/** What a reader is sent of a page. */
export interface Framed {
  readonly bytes: Buffer;
  readonly count: number;
}

const NOTHING: Framed = { bytes: Buffer.alloc(0), count: 0 };

/** What a stream lets through. Those that let the same through have the same key; undefined where it depends on what was seen before. */
export interface Choice {
  readonly filter: EventFilter;
  readonly key: string | undefined;
}

/** Whoever sees everything sees it alike. A narrower sight learns from what passes, and is nobody else's. */
export function choiceOf(filter: EventFilter): Choice {
  const { sight, ...wanted } = filter;
  if (isWhole(filter)) return { filter, key: '' };
  return { filter, key: sight?.isWhole === false ? undefined : JSON.stringify(wanted) };
}

/** Events that follow each other in the log. Readers who are at the same place share one, and what is written of it. */
export class Page {
  private readonly written = new Map<string, Framed>();

  constructor(readonly entries: readonly Entry[]) {}

  static of(events: readonly RecordedEvent[]): Page {
    return new Page(events.map((event) => new Entry(event)));
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** Position of its last event; undefined when it is empty. */
  get last(): number | undefined {
    return this.entries.at(-1)?.position;
  }

  /** The events that pass, as server-sent events. */
  framed({ filter, key }: Choice): Framed {
    // The empty page is everybody's for good: what was asked of it is not kept.
    if (this.isEmpty) return NOTHING;
    if (key === undefined) return this.write(filter);
    const known = this.written.get(key);
    if (known) return known;
    const framed = this.write(filter);
    this.written.set(key, framed);
    return framed;
  }

  private write(filter: EventFilter): Framed {
    const whole = isWhole(filter);
    const frames = this.entries.flatMap((entry) => {
      if (whole) return entry.frame;
      const { event } = entry;
      const seen = selected(filter, event);
      if (seen === undefined) return [];
      return seen === event ? entry.frame : frameOf(seen);
    });
    return { bytes: Buffer.concat(frames), count: frames.length };
  }
}

export const EMPTY_PAGE = new Page([]);
