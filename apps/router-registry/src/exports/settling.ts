import type { RouteView } from '@davit/contracts';
import { type ReplicaState, digestOf, outlivedTargets } from '@davit/domain';
import type { Clock } from '@davit/ports';

/** So long whoever reads all routes waits for those that the read model contradicts; then they are shown without them. */
const SETTLE_MS = 10_000;

/** Replicas died while nobody decided, and their routes are about to be withdrawn. Readers keep what they have, and ask again. */
export class RoutesUnsettledError extends Error {
  readonly code = 'routes-unsettled';
  constructor(readonly outlived: number) {
    super(`${outlived} targets lost their proof while the registry was away, and are being withdrawn`);
    this.name = 'RoutesUnsettledError';
  }
}

/**
 * Which of the published routes are shown (law 11): after a start none that its own evidence contradicts, and a list is empty only
 * because events say so, never because nobody decided.
 */
export class Settling {
  private sinceMs: number | undefined;
  /** Replicas that are routed still and proven no longer, which nobody withdrew in time. */
  private outlived: ReadonlySet<string> = new Set();

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  /**
   * Judges all snapshots by all replicas that are there.
   * @throws RoutesUnsettledError while what happened before is still being decided on
   */
  judge(views: readonly RouteView[], replicas: ReadonlyMap<string, ReplicaState>): void {
    const targets = views.flatMap((view) => outlivedTargets(view, (id) => replicas.get(id)));
    const nowMs = this.clock.nowMs();
    const sinceMs = (this.sinceMs ??= nowMs);
    const outlived = new Set(targets.map(({ replica }) => replica));
    if (targets.length === 0) this.sinceMs = undefined;
    else if (nowMs - sinceMs < SETTLE_MS || !isLeft(views, outlived)) throw new RoutesUnsettledError(targets.length);
    this.outlived = outlived;
  }

  /** True when a changed document may be a decision that was late, or a new proof: then all is to be judged anew. */
  isTouchedBy(kind: string, key: string): boolean {
    return this.outlived.size > 0 && (kind === 'route' || this.outlived.has(key));
  }

  /** The snapshot as readers see it; what is left of one has a digest of its own. */
  shown(view: RouteView): RouteView {
    const { targets, draining } = view;
    const isShown = ({ replica }: { readonly replica: string }): boolean => !this.outlived.has(replica);
    const hidden = [...targets, ...draining].filter((target) => !isShown(target)).map(({ replica }) => replica);
    if (hidden.length === 0) return view;
    const digest = digestOf([view.digest, hidden]);
    const withheld = hidden.length;
    return { ...view, digest, withheld, targets: targets.filter(isShown), draining: draining.filter(isShown) };
  }
}

/** True when anything is left to be shown. */
const isLeft = (views: readonly RouteView[], outlived: ReadonlySet<string>): boolean =>
  views.some(({ targets, draining }) => [...targets, ...draining].some(({ replica }) => !outlived.has(replica)));
