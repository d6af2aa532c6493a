/** The append cannot be stated in the log's terms: a defect of the caller. Nothing was written. */
export class InvalidAppendError extends Error {
  readonly code = 'invalid-append';
  constructor(reason: string) {
    super(`append refused: ${reason}`);
    this.name = 'InvalidAppendError';
  }
}

/**
 * The connection to the log broke while an append was under way, so whether it was committed is not known.
 * Repeating it is safe with an idempotency key, or after reading the stream again.
 */
export class LogUnavailableError extends Error {
  readonly code = 'log-unavailable';
  constructor(cause: unknown) {
    super(`the event log did not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'LogUnavailableError';
  }
}

/** The broker does not store an event although its place is free: its disk is full, or the stream is limited by hand. */
export class MirrorRefusedError extends Error {
  readonly code = 'mirror-refused';
  constructor(
    readonly position: number,
    reason: string,
  ) {
    super(`the broker does not store position ${position}: ${reason}; see whether its disk is full`);
    this.name = 'MirrorRefusedError';
  }
}

/** A page of the log with a hole in it. Positions are dense, so the log was changed by other hands than the append. */
export class LogGapError extends Error {
  readonly code = 'log-gap';
  constructor(
    readonly expectedPosition: number,
    readonly foundPosition: number,
  ) {
    super(`the log has position ${foundPosition} where ${expectedPosition} must be; restore the log from a backup`);
    this.name = 'LogGapError';
  }
}
