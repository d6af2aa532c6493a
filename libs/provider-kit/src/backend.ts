import type {
  ErrorClass,
  HourlyPrice,
  NormalisedDeployment,
  Placement,
  ResourcePhase,
  StockSignal,
} from '@davit/contracts';

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
  /** True once the provider itself put its machine on the bill. */
  readonly billed: boolean;
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
  | {
      readonly outcome: 'present';
      readonly handle: string | null;
      readonly detail: string;
      /** Only a part of it is there: whoever made it was cut off in the middle. `ensure` makes the rest. */
      readonly isPartial?: boolean;
    }
  | { readonly outcome: 'absent'; readonly detail: string }
  | Unknown;

export type EnsureResult = { readonly outcome: 'accepted'; readonly handle: string | null } | Refused | Unknown;

/** A phase that somebody saw. */
export type SeenPhase = Exclude<ResourcePhase, 'unknown'>;

/** Where a start is stuck, told from what the provider or the machine printed. It explains, and changes nothing. */
export interface Diagnosis {
  /** For example `image-pull`, `disk-full`, `out-of-memory`, `driver`, `gated-model`, `port`. */
  readonly boundary: string;
  readonly class: ErrorClass;
  readonly detail: string;
  /** What a person can do about it, in words. */
  readonly remedy: string;
}

export interface Observation {
  readonly phase: SeenPhase;
  readonly url: string | null;
  /** Changes when a thing of the same name is another thing. */
  readonly providerId: string | null;
  readonly price: HourlyPrice | null;
  readonly class: ErrorClass | null;
  readonly detail: string;
  /** Present while a start is stuck at a boundary that is known. */
  readonly diagnosis?: Diagnosis;
  /** Present when the tool that rented the thing has lost its record of it, and only the provider itself still shows it. */
  readonly recordLost?: { readonly source: string; readonly providerId: string };
  /** Present while its settings are others than were asked for: what was wanted, and what is. */
  readonly changed?: { readonly was: string; readonly is: string };
  /** Other things of this very name at the provider; the one observed is the one recorded. */
  readonly duplicates?: readonly InventoryRow[];
}

export type ObserveResult = ({ readonly outcome: 'present' } & Observation) | { readonly outcome: 'absent' } | Unknown;

/** `accepted` means asked for, not done: only absence that was proven ends a deletion. */
export type DeleteResult = { readonly outcome: 'accepted'; readonly detail: string } | Refused | Unknown;

export interface InventoryRow {
  readonly externalKey: string;
  readonly phase: SeenPhase;
  /**
   * The provider's own identity of this very thing, the same that `observe` gives it; what tells two things of one name
   * apart. Where a backend has identities of several kinds, it is `<kind>:<id>` for all but one of them.
   */
  readonly providerId: string | null;
  /** Who showed it: the renting tool's own table, or the provider itself. */
  readonly source: string;
  readonly price: HourlyPrice | null;
  readonly detail: string;
  /** What may be this very thing under another identity, and is not listed by itself therefore: none of it is gone. */
  readonly behind?: readonly InventoryRow[];
}

export type InventoryResult =
  | {
      readonly outcome: 'listed';
      /** Each thing once, whoever else shows it too. */
      readonly rows: readonly InventoryRow[];
      /** Everybody who was asked and answered in full. One that cannot answer makes the whole result unknown. */
      readonly sources: readonly string[];
    }
  | Unknown;

/** What a backend can do, so that nobody has to know it by name. */
export interface BackendCapabilities {
  /** It can say what stock there is, through `advise`. */
  readonly advice: boolean;
  readonly spot: boolean;
  /** A resource can be stopped and started again. */
  readonly stop: boolean;
  readonly regions: boolean;
  /** The provider stores labels with a thing, so that ownership is not told by name alone. */
  readonly labels: boolean;
}

/** What a key is called at the provider. Pure: the same key gives the same identity, for ever and in every process. */
export interface ProviderIdentity {
  readonly externalKey: string;
  /** Name of the thing, as the provider's own inventory shows it or begins it. */
  readonly name: string;
}

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
  readonly capabilities: BackendCapabilities;
  identify(externalKey: string): ProviderIdentity;
  /** Looks for the resource and for a launch of it that is still under way. */
  discover(externalKey: string, subject: Subject): Promise<DiscoverResult>;
  /** Looks first, and asks for the resource only if nothing is there. */
  ensure(order: LaunchOrder): Promise<EnsureResult>;
  observe(externalKey: string, hints: ObserveHints): Promise<ObserveResult>;
  delete(externalKey: string, subject: Subject): Promise<DeleteResult>;
  /**
   * Everything at the provider whose name begins with `prefix`. With a subject, only what may hide that very thing has to
   * be readable, so that the outage of one cloud does not keep the things of another one from being proven gone.
   */
  inventory(prefix: string, subject?: Subject): Promise<InventoryResult>;
  /**
   * Ends exactly the thing that a row of `inventory` shows, and never another one of the same name. Backends whose things
   * are not ours to delete have none.
   */
  reap?(row: InventoryRow): Promise<DeleteResult>;
  /** What stock the provider says there is; only with the capability `advice`. */
  advise?(placement: Placement): Promise<StockSignal | Unknown>;
}
