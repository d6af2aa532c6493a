import type { RouteView } from '@davit/contracts';
import { type ReplicaState, isProven, outlivedTargets, withheldFrom } from '@davit/domain';
import type { Clock } from '@davit/ports';
import type { Document, DocumentRef } from '@davit/projection';

/** So long whoever reads all routes waits for those that the read model contradicts after a start; then they are withheld. */
const SETTLE_MS = 10_000;
/** So long a proof that ends while the registry runs waits for its withdrawal: another instance steps in before. */
const LAPSE_MS = 5_000;

/** Replicas died while nobody decided, and their routes are about to be withdrawn. Readers keep what they have, and ask again. */
export class RoutesUnsettledError extends Error {
  readonly code = 'routes-unsettled';
  constructor(readonly outlived: number) {
    super(`${outlived} targets lost their proof and are not withdrawn yet`);
    this.name = 'RoutesUnsettledError';
  }
}

/** What a changed document means: nothing, that a withdrawal is awaited, or that all is to be judged anew. */
export type Noted = 'same' | 'awaited' | 'changed';

/**
 * Which targets of the published snapshots are withheld (law 11): those whose own evidence contradicts them, when nobody withdraws them
 * in time. Where nothing at all would be left, readers keep what they have: a list is empty only because events say so, and so many
 * deaths at once may be an illness of the observer (law 12).
 */
export class Settling {
  private sinceMs: number | undefined;
  private isSettled = false;
  private withheld: ReadonlySet<string> = new Set();
  /** Since when routed replicas are without a proof, as far as it was told. */
  private readonly lapsedMs = new Map<string, number>();
  private position = 0;

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  /** Position of the log at which what is withheld last became another; 0 while nothing ever was. */
  get changedAt(): number {
    return this.position;
  }

  get withholds(): boolean {
    return this.withheld.size > 0;
  }

  /** How long until a proof that ended has waited too long for its withdrawal; undefined while none waits. */
  get dueInMs(): number | undefined {
    const waiting = [...this.lapsedMs].flatMap(([id, sinceMs]) => (this.withheld.has(id) ? [] : [sinceMs]));
    return waiting.length === 0 ? undefined : Math.max(0, Math.min(...waiting) + LAPSE_MS - this.clock.nowMs());
  }

  /** Takes note of a document that changed. */
  note({ kind, key }: DocumentRef, document: Document | undefined): Noted {
    const lapses = kind === 'replica' && this.noteReplica(key, document);
    if (this.withholds && (kind === 'route' || this.withheld.has(key))) return 'changed';
    return lapses ? 'awaited' : 'same';
  }

  /**
   * Judges all snapshots by all replicas that are there.
   * @param position of the log up to which both are known
   * @throws RoutesUnsettledError while what happened before is still being decided on
   */
  judge(views: readonly RouteView[], replicas: ReadonlyMap<string, ReplicaState>, position: number): void {
    const targets = views.flatMap((view) => outlivedTargets(view, (id) => replicas.get(id)));
    const outlived = new Set(targets.map(({ replica }) => replica));
    // At the start all documents are told, whatever is new in them.
    const isTold = (id: string): boolean => this.isSettled && this.lapsedMs.has(id);
    this.awaitDecisions([...outlived].filter((id) => !isTold(id) && !this.withheld.has(id)).length);
    const withheld = new Set([...outlived].filter((id) => this.withheld.has(id) || !isTold(id) || !this.isAwaited(id)));
    if (withheld.size > 0 && !isLeft(views, withheld)) throw new RoutesUnsettledError(withheld.size);
    // What was told meanwhile may not be in what was read.
    for (const id of this.lapsedMs.keys()) if (!outlived.has(id) && !this.isAwaited(id)) this.lapsedMs.delete(id);
    if (!isSame(withheld, this.withheld)) this.position = position;
    this.withheld = withheld;
    this.isSettled = true;
  }

  /** The snapshot as readers see it: the same object where nothing of it is withheld. */
  shown(view: RouteView): RouteView {
    return this.withholds ? withheldFrom(view, (id) => this.withheld.has(id), this.position) : view;
  }

  /** True while a replica that is routed has no proof. */
  private noteReplica(id: string, document: Document | undefined): boolean {
    // The lifecycle fold keeps documents of one shape under this kind.
    const replica = document as ReplicaState | undefined;
    const lapses = replica !== undefined && replica.route.registered && !isProven(replica);
    if (!lapses) this.lapsedMs.delete(id);
    else if (!this.lapsedMs.has(id)) this.lapsedMs.set(id, this.clock.nowMs());
    return lapses;
  }

  /** What was found and not told happened while nobody looked: it is decided on in a moment. */
  private awaitDecisions(found: number): void {
    const nowMs = this.clock.nowMs();
    if (found === 0) this.sinceMs = undefined;
    else if (nowMs - (this.sinceMs ??= nowMs) < SETTLE_MS) throw new RoutesUnsettledError(found);
  }

  private isAwaited(id: string): boolean {
    const sinceMs = this.lapsedMs.get(id);
    return sinceMs !== undefined && this.clock.nowMs() - sinceMs < LAPSE_MS;
  }
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one));

/** True when anything is left to be shown. */
const isLeft = (views: readonly RouteView[], withheld: ReadonlySet<string>): boolean =>
  views.some(({ targets, draining }) => [...targets, ...draining].some(({ replica }) => !withheld.has(replica)));
