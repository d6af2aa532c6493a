import type { Envelope } from '@davit/contracts';

/** What the broker says about the stream. */
export interface MirrorState {
  /** Sequence of the last message that was ever in the stream; 0 for a new one. */
  readonly lastSequence: number;
  readonly messages: number;
}

export type PublishOutcome =
  | { readonly outcome: 'published'; readonly duplicates: number }
  /** `position` was not taken at its sequence; those before it were. */
  | { readonly outcome: 'refused'; readonly position: number; readonly reason: string };

/** The stream that mirrors the log, as the relay uses it. */
export interface Mirror {
  /** Undefined when the stream does not exist. */
  state(): Promise<MirrorState | undefined>;
  /** Id of the event that stands at `sequence`; undefined where no message is kept. */
  eventIdAt(sequence: number): Promise<string | undefined>;
  /** Makes the stream, or brings the settings of an existing one up to date. */
  ensure(): Promise<void>;
  /** Drops everything before `sequence` and lets the next message have it, if it is beyond the last one. */
  startAt(sequence: number): Promise<void>;
  /** Removes the stream with all its consumers. */
  remove(): Promise<void>;
  /** Publishes consecutive events, each at the sequence of its position or not at all. */
  publish(events: readonly Envelope[]): Promise<PublishOutcome>;
  /** False where the broker cannot start a stream beyond sequence 1. */
  readonly canStartAnywhere: boolean;
}
