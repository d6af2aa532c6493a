import type { Bus } from '@davit/bus';
import {
  ROUTES_BUCKET,
  type RouteView,
  WITHHELD_KEY,
  routeCacheKey,
  routeView,
  withheldAliases,
} from '@davit/contracts';

type Bucket = Awaited<ReturnType<ReturnType<Bus['connection']['jetstream']>['views']['kv']>>;
type Snapshot = Pick<RouteView, 'alias' | 'snapshot'> & { readonly digest: string | null };
/** What the bucket holds under a key, as far as this process knows; null where that cannot be read. */
type Held<Value> = { readonly revision: number; readonly value: Value | null };

/** Pause between two looks whether the bucket is whole. */
const LOOK_MS = 20_000;

/**
 * Writes snapshots to the bucket, and the list of aliases of which targets are withheld. A held snapshot of the same or a higher number
 * stays, unless its content is another: that is what the bucket of a log restored from a backup looks like, and the log is right.
 */
export class RouteCache {
  private bucket: Promise<Bucket> | undefined;
  private readonly snapshots = new Map<string, Held<Snapshot>>();
  private lookedAtMs = 0;

  constructor(private readonly bus: Pick<Bus, 'connection' | 'clock' | 'onReconnect'>) {
    // The broker may come back empty: bucket and all.
    bus.onReconnect(() => this.forgetAll());
  }

  /** True when the bucket is known to hold this snapshot, whole. */
  holds(snapshot: Snapshot): boolean {
    const held = this.snapshots.get(routeCacheKey(snapshot.alias))?.value;
    return !!held && isIn(snapshot, held);
  }

  /**
   * True when the bucket holds this snapshot or a newer one afterwards; false when a rival wrote in between.
   * Faults of the broker pass through.
   * @param asOf position of the log up to which it is so; asked for where the bucket holds another word on the same snapshot
   */
  async write(view: RouteView, asOf: () => Promise<number>): Promise<boolean> {
    const key = routeCacheKey(view.alias);
    const done = await this.attempt(async (bucket) => {
      const held = this.snapshots.get(key) ?? (await readHeld(bucket, key, (value) => routeView.parse(value)));
      this.snapshots.set(key, held);
      if (held.value && isIn(view, held.value)) return;
      const isAnother = held.value?.snapshot === view.snapshot;
      const position = isAnother ? Math.max(view.position, await asOf()) : view.position;
      const revision = await put(bucket, key, { ...view, position }, held.revision);
      const { alias, snapshot, digest } = view;
      this.snapshots.set(key, { revision, value: { alias, snapshot, digest } });
    });
    if (!done) this.snapshots.delete(key);
    return done;
  }

  /** What the bucket holds of an alias is looked up before it is written next: other instances write to it too. */
  forget(alias: string): void {
    this.snapshots.delete(routeCacheKey(alias));
  }

  /** Aliases of which the bucket says that targets are withheld. */
  async withheld(): Promise<readonly string[]> {
    return (await readList(await this.open())).value ?? [];
  }

  /** As {@link write}. The list is made when it is needed first. */
  tellWithheld(aliases: readonly string[]): Promise<boolean> {
    return this.attempt(async (bucket) => {
      const { revision, value } = await readList(bucket);
      if ((value ?? []).join(' ') !== aliases.join(' ')) await put(bucket, WITHHELD_KEY, aliases, revision);
    });
  }

  /** Asks now and then whether the bucket holds as many keys as it should: somebody may have emptied it. */
  async lookWhole(): Promise<void> {
    const nowMs = this.bus.clock.nowMs();
    if (nowMs - this.lookedAtMs < LOOK_MS) return;
    const { values } = await (await this.open()).status();
    this.lookedAtMs = nowMs;
    if (values < this.snapshots.size) this.forgetAll();
  }

  private forgetAll(): void {
    this.bucket = undefined;
    this.snapshots.clear();
  }

  private async attempt(work: (bucket: Bucket) => Promise<void>): Promise<boolean> {
    try {
      await work(await this.open());
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      this.forgetAll();
      throw error;
    }
  }

  private open(): Promise<Bucket> {
    return (this.bucket ??= this.bus.connection.jetstream().views.kv(ROUTES_BUCKET, { history: 1 }));
  }
}

const isIn = ({ snapshot, digest }: Snapshot, held: Snapshot): boolean =>
  held.snapshot >= snapshot && held.digest === digest;

const put = (bucket: Bucket, key: string, value: unknown, previousSeq: number): Promise<number> =>
  bucket.put(key, JSON.stringify(value), { previousSeq });

const readList = (bucket: Bucket): Promise<Held<readonly string[]>> =>
  readHeld(bucket, WITHHELD_KEY, (value) => withheldAliases.parse(value));

async function readHeld<Value>(bucket: Bucket, key: string, parse: (value: unknown) => Value): Promise<Held<Value>> {
  const present = await bucket.get(key);
  const revision = present?.revision ?? 0;
  try {
    return { revision, value: present ? parse(present.json()) : null };
  } catch {
    return { revision, value: null };
  }
}

/** https://docs.nats.io: error 10071, "wrong last sequence". */
const WRONG_LAST_SEQUENCE = 10_071;

function isConflict(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('api_error' in error)) return false;
  const { api_error: api } = error;
  return typeof api === 'object' && api !== null && 'err_code' in api && api.err_code === WRONG_LAST_SEQUENCE;
}
