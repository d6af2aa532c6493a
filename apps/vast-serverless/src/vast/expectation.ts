import type { Policy } from './api/endpoints.js';
import type { TemplateIdentity } from './template/create.js';

/** What else than its specification and its launch say an endpoint may be now, because a rollout is under way or came to its end. */
export interface Expectation {
  /** Hashes of templates that its workergroup may use, beside the one it was launched with. */
  readonly templateHashes: readonly string[];
  /** What it is to be launched with, by both identities: a hash alone may be taken for an older template's. */
  readonly template?: TemplateIdentity;
  /** Bounds that a rollout has set in place of those of the specification. */
  readonly policy?: Partial<Policy>;
  /** Bounds that it may have instead, while a rollout goes from one to the other. */
  readonly policies?: readonly Policy[];
  /** Its bounds are being worked out: whatever they are now is no drift. */
  readonly anyPolicy?: boolean;
}

/** Asked at each look; undefined where the specification says it all. */
export type Expected = (externalKey: string) => Promise<Expectation | undefined>;

export const NOTHING_ELSE: Expected = () => Promise.resolve(undefined);
