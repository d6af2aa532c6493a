import type { AppendContext, AppendResult, StreamWrite } from '@davit/event-log';
import type { Document, DocumentRef, ReadModel } from '@davit/projection';
import type { Logger } from '@davit/ports';

/** What a pass over one key ends in; nothing means: wait until something about the key changes. */
export interface ReconcileResult {
  readonly requeueAfterMs?: number;
  /** Work that a pass began goes on beside the passes: the lease is kept up to the next one, and nobody else begins it anew. */
  readonly keepsLease?: boolean;
}

/** Stops retries of a key until something about it changes. For faults that repetition cannot mend. */
export class TerminalError extends Error {
  readonly code = 'terminal';
}

/** `requires`: streams that the decision rests on without writing them, at the versions that the read model showed. */
export type AppendOptions = Pick<AppendContext, 'tenant' | 'correlationId' | 'requires'>;

/** What a reconciler works with while it holds the lease of its key. */
export interface ReconcileContext {
  readonly key: string;
  readonly model: ReadModel;
  readonly logger: Logger;
  /** Epoch of the lease of this key; recorded in attempts. */
  readonly epoch: number;
  /** The log's clock, by which all times in the log are: not the host's. */
  nowMs(): number;
  /** Appends under the lease, with `basedonposition` set to what the read model had folded in. */
  append(writes: readonly [StreamWrite, ...StreamWrite[]], options: AppendOptions): Promise<AppendResult>;
  /** True while the lease is still ours; asked right before each outside effect (law 7). */
  holdsLease(): Promise<boolean>;
}

/**
 * Level-triggered: reads the present state of a key and acts on the difference. A key never runs twice at once in
 * the whole fleet. Losing, doubling or reordering wake-ups changes nothing but the time it takes (law 8).
 */
export interface Controller {
  readonly name: string;
  /** Keys that need a look after a document changed. */
  keysOf(ref: DocumentRef, document: Document | undefined): readonly string[];
  reconcile(context: ReconcileContext): Promise<ReconcileResult>;
  /** Keys that are looked at from the start and at every walk, whatever the documents are: work that follows the clock. */
  readonly standingKeys?: readonly string[];
  /** Passes that may run at once. Default 8. */
  readonly concurrency?: number;
}
