import type { ErrorClass, HourlyPrice, NormalisedDeployment, Placement, ResourcePhase } from '@davit/contracts';

/** Everything a backend may need to know of the replica it is asked about; all of it comes from the log. */
export interface Subject {
  readonly externalKey: string;
  readonly replicaId: string;
  readonly ordinal: number;
  /** Specification of the replica's own revision. */
  readonly deployment: NormalisedDeployment;
}

/** What was known at the last look. A backend may use it to save calls, never as an answer. */
export interface ObserveHints {
  readonly subject: Subject;
  /**
   * `follow`: how far is it? `absence`: is it gone? For the second, a failed launch that left nothing behind is absent,
   * and what was seen before `askedAtMs` does not count.
   */
  readonly purpose: 'follow' | 'absence';
  readonly askedAtMs: number;
  /** True until the replica was ready for the first time. */
  readonly launching: boolean;
  /** True while a launch is so young that the provider may not show all of it yet. */
  readonly mayBeInvisible: boolean;
  /** The provider's own name of the launch. */
  readonly handle: string | null;
  readonly url: string | null;
  readonly providerId: string | null;
}

export interface LaunchOrder extends Subject {
  /** Null for backends without a ladder, and for a resource that was found rather than asked for. */
  readonly placement: Placement | null;
  /** Asked right before the mutating call, after whatever the backend does first (law 7). */
  holdsLease(): Promise<boolean>;
}

/** A provider that cannot be asked, or whose answer cannot be read. Never absent, never healthy, never zero (law 4). */
export interface Unknown {
  readonly outcome: 'unknown';
  readonly detail: string;
}

export interface Refused {
  readonly outcome: 'refused';
  readonly class: ErrorClass;
  readonly detail: string;
}

export type DiscoverResult =
  | { readonly outcome: 'present'; readonly handle: string | null; readonly detail: string }
  | { readonly outcome: 'absent'; readonly detail: string }
  | Unknown;

export type EnsureResult = { readonly outcome: 'accepted'; readonly handle: string | null } | Refused | Unknown;

/** A phase that somebody saw. */
export type SeenPhase = Exclude<ResourcePhase, 'unknown'>;

export interface Observation {
  readonly phase: SeenPhase;
  readonly url: string | null;
  /** Changes when a thing of the same name is another thing. */
  readonly providerId: string | null;
  readonly price: HourlyPrice | null;
  readonly class: ErrorClass | null;
  readonly detail: string;
}

export type ObserveResult = ({ readonly outcome: 'present' } & Observation) | { readonly outcome: 'absent' } | Unknown;

/** `accepted` means asked for, not done: only absence that was proven ends a deletion. */
export type DeleteResult = { readonly outcome: 'accepted'; readonly detail: string } | Refused | Unknown;

export interface InventoryRow {
  readonly externalKey: string;
  readonly phase: SeenPhase;
  readonly providerId: string | null;
}

export type InventoryResult = { readonly outcome: 'listed'; readonly rows: readonly InventoryRow[] } | Unknown;

/**
 * What Davit needs of a provider. Trouble outside is a result, never an exception. All calls are safe to repeat; `ensure`
 * with the same key twice leads to one resource.
 */
export interface ProviderBackend {
  /** The name that specifications choose it by. */
  readonly adapter: string;
  /** Category of the streams its facts are written to. */
  readonly category: 'resource' | 'endpoint';
  /** True when the resource is not ours to delete: deletion lets go of it. */
  readonly releases?: boolean;
  /** Looks for the resource and for a launch of it that is still under way. */
  discover(externalKey: string, subject: Subject): Promise<DiscoverResult>;
  /** Looks first, and asks for the resource only if nothing is there. */
  ensure(order: LaunchOrder): Promise<EnsureResult>;
  observe(externalKey: string, hints: ObserveHints): Promise<ObserveResult>;
  delete(externalKey: string, subject: Subject): Promise<DeleteResult>;
  /** Everything at the provider whose name begins with `prefix`. */
  inventory(prefix: string): Promise<InventoryResult>;
}
