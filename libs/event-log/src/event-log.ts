import type { EventType, NewEvent, RecordedEvent } from '@davit/contracts';

/** Events for one stream, with what the writer believes the stream's last version to be. */
export interface StreamWrite {
  /** `<category>/<key>`. */
  readonly stream: string;
  /** Last version seen by the writer; 0 for a stream that must be new; `any` where concurrent writers do no harm. */
  readonly expectedVersion: number | 'any';
  readonly events: readonly [NewEvent, ...NewEvent[]];
}

/** What is the same for every event of one append. */
export interface AppendContext {
  readonly tenant: string;
  /** Name of the writing service; becomes `source` as `/davit/<service>`. */
  readonly service: string;
  readonly actor?: string;
  readonly causationId?: string;
  readonly correlationId?: string;
  /** Log position that the decision was based on. */
  readonly basedOnPosition?: number;
  readonly traceparent?: string;
  /**
   * Streams that the decision rests on without writing them. Refuses the append with `wrong-version` unless each is at exactly
   * its version at the commit; 0 for a stream that must not exist.
   */
  readonly requires?: readonly { readonly stream: string; readonly version: number }[];
  /** Refuses the append when the lease has gone to a newer epoch or has expired (database clock). */
  readonly lease?: { readonly name: string; readonly epoch: number };
  /** Same key and same fingerprint: the first append's events are returned and nothing is written. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string };
  /** Marks a message of a consumer as handled in the same transaction. */
  readonly inbox?: { readonly consumer: string; readonly messageId: string };
}

export type AppendResult =
  | { readonly outcome: 'appended'; readonly events: readonly RecordedEvent[] }
  /** The idempotency key was used before with the same fingerprint. */
  | { readonly outcome: 'duplicate'; readonly events: readonly RecordedEvent[] }
  | { readonly outcome: 'idempotency-conflict'; readonly key: string }
  /** The inbox already holds the message. */
  | { readonly outcome: 'already-handled' }
  /** `stream` is one of those written or required; the first that differs, those written first. */
  | { readonly outcome: 'wrong-version'; readonly stream: string; readonly expected: number; readonly actual: number }
  | { readonly outcome: 'fenced'; readonly lease: string; readonly epoch: number };

/** Which events of a stream are wanted, for those who must not read a long one whole. */
export interface StreamPart {
  /** At most so many. */
  readonly limit: number;
  /** Types that are passed over. */
  readonly without?: readonly EventType[];
}

/**
 * The durable event log. All writes of one append become visible together, at consecutive positions.
 * Positions are dense: 1, 2, 3, …; commit order is position order is stream order.
 */
export interface EventLog {
  /** @throws InvalidEventError for an event that the catalogue does not allow; faults of the store pass through */
  append(writes: readonly [StreamWrite, ...StreamWrite[]], context: AppendContext): Promise<AppendResult>;
  /** Events of one stream after `afterVersion` (default 0), in order: all, or a part. */
  readStream(stream: string, afterVersion?: number, part?: StreamPart): Promise<readonly RecordedEvent[]>;
  /** Up to `limit` events with position > `afterPosition`, in order. Never skips an event that may still appear. */
  read(afterPosition: number, limit: number): Promise<readonly RecordedEvent[]>;
  /** Position of the last event; 0 for an empty log. */
  head(): Promise<number>;
}

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows by one whenever the lease changes hands. */
  readonly epoch: number;
}

/** A lease as the store has just granted or renewed it. */
export interface GrantedLease extends Lease {
  /** The store's clock at that moment. */
  readonly storeMs: number;
}

/** Leases on the store's own clock. They hold no facts: losing the table costs nothing but a moment's exclusion. */
export interface Leases {
  /** Takes or renews the lease for `ttlMs`; undefined while somebody else holds it. */
  acquire(name: string, holder: string, ttlMs: number): Promise<GrantedLease | undefined>;
  /** True while this epoch is the present one and has not expired. Asked right before each outside effect. */
  holds(lease: Lease): Promise<boolean>;
  /** Lets others take it at once. */
  release(lease: Lease): Promise<void>;
}

/** Delivers events of the log as they appear. It may stop, repeat or skip; readers compare positions and repair from the log. */
export interface LogFeed {
  subscribe(afterPosition: number, onEvents: (events: readonly RecordedEvent[]) => Promise<void>): FeedSubscription;
}

export interface FeedSubscription {
  stop(): Promise<void>;
}
