import type { RecordedEvent } from '@davit/contracts';

/** Names one document of a projection. */
export interface DocumentRef {
  /** For example `deployment`, `replica`, `route`. */
  readonly kind: string;
  readonly key: string;
}

/** JSON value with keys in any order; compared and stored in canonical form. */
export type Document = Readonly<Record<string, unknown>>;

/**
 * A pure fold of the log into documents. Each document is a function of its own past and the events that name it,
 * so that it can be rebuilt alone, in batches, or beside the live one.
 */
export interface ProjectionDefinition {
  readonly name: string;
  /** Grows when the fold changes; a new version is built from position 0 beside the old one (blue/green). */
  readonly version: number;
  /** Documents that the event may change, in a fixed order. */
  refs(event: RecordedEvent): readonly DocumentRef[];
  /** New state of the document; undefined removes it. Throwing stops the projection at this event. */
  evolve(document: Document | undefined, event: RecordedEvent, ref: DocumentRef): Document | undefined;
  /** Names under which the document can be listed, for example `deployment:default/qwen3-8b`. */
  groups(ref: DocumentRef, document: Document): readonly string[];
}

export interface StoredDocument<Shape extends Document = Document> {
  readonly kind: string;
  readonly key: string;
  readonly document: Shape;
  /** Position of the last event that touched the document. */
  readonly position: number;
}

/** A read was not to see the past, and the tables hold less than they did: lost and being filled anew, or taken back by a crash. */
export class ReadModelBehindError extends Error {
  readonly code = 'read-model-behind';
  constructor(
    readonly position: number,
    readonly notBefore: number,
  ) {
    super(`the read model stands at ${position} and has been at ${notBefore} before; it comes there again by itself`);
    this.name = 'ReadModelBehindError';
  }
}

/**
 * Reads of a projection. Given `notBefore`, a read answers as of that position of the log or a later one.
 * @throws ReadModelBehindError when the tables hold less than that
 */
export interface ReadModel {
  get<Shape extends Document>(
    kind: string,
    key: string,
    notBefore?: number,
  ): Promise<StoredDocument<Shape> | undefined>;
  /**
   * Sorted by key.
   * @param changedAfter a store may leave out documents that no event touched after this position; readers leave them out themselves
   */
  list<Shape extends Document>(
    kind: string,
    group?: string,
    notBefore?: number,
    changedAfter?: number,
  ): Promise<readonly StoredDocument<Shape>[]>;
  /** Up to `limit` documents after `after` in the order of kind, then key: walks the whole projection. */
  scan(after: DocumentRef | undefined, limit: number): Promise<readonly ScannedDocument[]>;
  /** Position up to which the log is folded in. */
  position(): Promise<number>;
}

/** Where a projection keeps its documents and its checkpoint. */
export interface ProjectionStore extends ReadModel {
  getMany(refs: readonly DocumentRef[]): Promise<readonly StoredDocument[]>;
  /**
   * Applies the changes and moves the checkpoint from `from` to `to` in one transaction.
   * Returns false, changing nothing, when the checkpoint was not at `from` (a rival was faster).
   */
  commit(from: number, to: number, changes: readonly DocumentChange[]): Promise<boolean>;
  /** Creates what is missing; safe to call from many processes at once. */
  prepare(): Promise<void>;
}

export interface ScannedDocument extends StoredDocument {
  readonly groups: readonly string[];
}

export interface DocumentChange extends DocumentRef {
  /** Undefined removes the document. */
  readonly document: Document | undefined;
  /** Of the latest event that touched it; not kept. */
  readonly traceparent?: string;
  readonly groups: readonly string[];
  readonly position: number;
}
