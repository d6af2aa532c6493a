import { type RecordedEvent, parseRecordedEvent } from '@davit/contracts';

/** So many events of late are remembered: subscriptions of one process are hardly further apart. */
const MOST = 64;
/** What is larger is read anew by each, so that what is remembered stays small. */
const LARGEST_BYTES = 262_144;

type Known = { readonly bytes: Buffer; readonly event: RecordedEvent };

/**
 * Reads events of the log from their bytes. However many subscriptions a process has, each event is validated once: equal bytes at
 * the same position are the same event, frozen because it is shared.
 */
export class EventReader {
  private readonly known = new Map<number, Known>();

  /** @throws InvalidEventError for what is not an event that this library can read */
  read(position: number, payload: Uint8Array): RecordedEvent {
    const known = this.known.get(position);
    // A broker that was wiped, or a second one, may hold another event there.
    if (known?.bytes.equals(payload)) return known.event;
    // Copied: the bytes at hand are a part of all that arrived with them.
    const bytes = Buffer.from(payload);
    const event = frozen(parseRecordedEvent(JSON.parse(bytes.toString())));
    if (bytes.length <= LARGEST_BYTES) this.remember(position, { bytes, event });
    return event;
  }

  private remember(position: number, known: Known): void {
    this.known.delete(position);
    this.known.set(position, known);
    if (this.known.size <= MOST) return;
    for (const oldest of this.known.keys()) {
      this.known.delete(oldest);
      return;
    }
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
