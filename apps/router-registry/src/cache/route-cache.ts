import type { Bus } from '@davit/bus';
import { ROUTES_BUCKET, type RouteView, routeCacheKey } from '@davit/contracts';

type Bucket = Awaited<ReturnType<ReturnType<Bus['connection']['jetstream']>['views']['kv']>>;

/**
 * Writes snapshots to the bucket. A held one of the same or a higher number stays, unless its content is another: that is what
 * the bucket of a log restored from a backup looks like, and the log is right.
 */
export class RouteCache {
  private bucket: Promise<Bucket> | undefined;

  constructor(private readonly bus: Bus) {
    // The broker may come back empty: bucket and all.
    bus.onReconnect(() => (this.bucket = undefined));
  }

  /**
   * True when the bucket holds this snapshot or a newer one afterwards; false when a rival wrote in between.
   * Faults of the broker pass through.
   */
  async write(snapshot: RouteView): Promise<boolean> {
    try {
      const bucket = await this.open();
      const key = routeCacheKey(snapshot.alias);
      const present = await bucket.get(key);
      const held = present && heldSnapshot(present.string());
      if (held && held.snapshot >= snapshot.snapshot && held.digest === snapshot.digest) return true;
      await bucket.put(key, JSON.stringify(snapshot), { previousSeq: present?.revision ?? 0 });
      return true;
    } catch (error) {
      this.bucket = undefined;
      if (isConflict(error)) return false;
      throw error;
    }
  }

  private open(): Promise<Bucket> {
    return (this.bucket ??= this.bus.connection.jetstream().views.kv(ROUTES_BUCKET, { history: 1 }));
  }
}

function heldSnapshot(text: string): { readonly snapshot: number; readonly digest: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('snapshot' in value) || !('digest' in value)) return undefined;
    const { snapshot, digest } = value;
    return typeof snapshot === 'number' && typeof digest === 'string' ? { snapshot, digest } : undefined;
  } catch {
    return undefined;
  }
}

/** https://docs.nats.io: error 10071, "wrong last sequence". */
const WRONG_LAST_SEQUENCE = 10_071;

function isConflict(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('api_error' in error)) return false;
  const { api_error: api } = error;
  return typeof api === 'object' && api !== null && 'err_code' in api && api.err_code === WRONG_LAST_SEQUENCE;
}
