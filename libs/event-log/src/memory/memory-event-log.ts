import type { RecordedEvent } from '@davit/contracts';
import { type Clock, type Ids, isoTime } from '@davit/ports';
import { type PreparedAppend, prepareAppend } from '../append/prepare.js';
import { recordedEvents } from '../append/record.js';
import type { AppendContext, AppendResult, EventLog, StreamPart, StreamWrite } from '../event-log.js';
import type { MemoryLeases } from './memory-leases.js';

interface Used {
  readonly fingerprint: string;
  readonly events: readonly RecordedEvent[];
}

type Check = Exclude<AppendResult, { readonly outcome: 'appended' }>;

/** The event log in memory, for simulation: passes the same conformance suite as the one in PostgreSQL. */
export class MemoryEventLog implements EventLog {
  private readonly events: RecordedEvent[] = [];
  private readonly streams = new Map<string, RecordedEvent[]>();
  private readonly usedKeys = new Map<string, Used>();
  private readonly handledMessages = new Set<string>();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly leases: MemoryLeases,
  ) {}

  // Async so that defects of the caller reject, as they do with a log elsewhere.
  // eslint-disable-next-line @typescript-eslint/require-await
  async append(writes: readonly [StreamWrite, ...StreamWrite[]], context: AppendContext): Promise<AppendResult> {
    const append = prepareAppend(writes, context, this.ids);
    return this.refusal(append) ?? this.write(append);
  }

  readStream(stream: string, afterVersion = 0, part?: StreamPart): Promise<readonly RecordedEvent[]> {
    const all = (this.streams.get(stream) ?? []).slice(afterVersion);
    if (!part) return Promise.resolve(all);
    const { without = [], limit } = part;
    return Promise.resolve(all.filter(({ type }) => !without.includes(type)).slice(0, limit));
  }

  read(afterPosition: number, limit: number): Promise<readonly RecordedEvent[]> {
    return Promise.resolve(this.events.slice(afterPosition, afterPosition + limit));
  }

  head(): Promise<number> {
    return Promise.resolve(this.events.length);
  }

  /** Position of the newest event, at once. */
  get size(): number {
    return this.events.length;
  }

  /** Calls `listener` after each append that added events, before the append resolves. */
  onAppended(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** The checks of an append, in the order of the append function of the PostgreSQL log. */
  private refusal({ writes, context }: PreparedAppend): Check | undefined {
    const { lease, idempotency, inbox, tenant, requires = [] } = context;
    if (lease && !this.leases.isCurrent(lease.name, lease.epoch)) {
      return { outcome: 'fenced', lease: lease.name, epoch: lease.epoch };
    }
    const used = idempotency && this.usedKeys.get(joined(tenant, idempotency.key));
    if (idempotency && used) {
      if (used.fingerprint === idempotency.fingerprint) return { outcome: 'duplicate', events: used.events };
      return { outcome: 'idempotency-conflict', key: idempotency.key };
    }
    if (inbox && this.handledMessages.has(joined(inbox.consumer, inbox.messageId))) {
      return { outcome: 'already-handled' };
    }
    for (const { stream, expectedVersion } of writes) {
      const actual = this.versionOf(stream);
      if (expectedVersion !== 'any' && expectedVersion !== actual) {
        return { outcome: 'wrong-version', stream, expected: expectedVersion, actual };
      }
    }
    for (const { stream, version } of requires) {
      const actual = this.versionOf(stream);
      if (version !== actual) return { outcome: 'wrong-version', stream, expected: version, actual };
    }
    return undefined;
  }

  private write(append: PreparedAppend): AppendResult {
    const { idempotency, inbox, tenant } = append.context;
    const events = recordedEvents(append, {
      firstPosition: this.events.length + 1,
      time: isoTime(this.clock.nowMs()),
      versionsBefore: append.writes.map(({ stream }) => this.versionOf(stream)),
    });
    for (const event of events) {
      // Shared by every reader, unlike events from a database, so nobody may change it.
      deepFreeze(event);
      this.events.push(event);
      const stream = this.streams.get(event.stream);
      if (stream) stream.push(event);
      else this.streams.set(event.stream, [event]);
    }
    if (idempotency) {
      this.usedKeys.set(joined(tenant, idempotency.key), { fingerprint: idempotency.fingerprint, events });
    }
    if (inbox) this.handledMessages.add(joined(inbox.consumer, inbox.messageId));
    for (const listener of this.listeners) listener();
    return { outcome: 'appended', events };
  }

  private versionOf(stream: string): number {
    return this.streams.get(stream)?.length ?? 0;
  }
}

/** Unambiguous, since names never hold NUL. */
const joined = (first: string, second: string): string => `${first}\0${second}`;

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
}
