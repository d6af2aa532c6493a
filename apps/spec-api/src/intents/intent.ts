import type { IntentVerb } from '@davit/contracts';
import type { IntentFacts } from './intent-body.js';
import type { Precondition } from './precondition.js';

/** How an intent came, and what came with it outside its body. */
export interface IntentOrigin {
  readonly channel: 'http' | 'nats';
  /** Key of a header; one in the body must not differ. */
  readonly idempotencyKey?: string;
  readonly actor?: string;
  /** What must hold of the deployment, as headers say it. */
  readonly preconditions?: readonly Precondition[];
  /** Who sends it, where that was proven: what it says of its actor counts no more, and other tenants are not theirs to change. */
  readonly asker?: { readonly actor: string; readonly tenants: 'all' | readonly string[] };
  /** The same for every delivery of one stored message; makes a redelivery the same intent. */
  readonly messageId?: string;
  readonly traceparent?: string;
}

/** An intent that has been read: whom it concerns and what it would do, or why it cannot. */
export interface Intent {
  readonly id: string;
  readonly verb: IntentVerb;
  readonly origin: IntentOrigin;
  readonly facts: IntentFacts;
  readonly tenant: string;
  readonly digest: string;
}

/** W3C trace context; anything else in its place is left out. */
export const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
