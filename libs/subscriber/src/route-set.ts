import type { RouteView } from '@davit/contracts';

/**
 * The routes that a consumer has: the newest word on the newest snapshot of each alias, which may withhold targets that lost their proof.
 * What was seen already, or is older than what is there, changes nothing, so that it does not matter how often and in what order news
 * arrive.
 */
export class RouteSet {
  private readonly byAlias = new Map<string, RouteView>();

  /** True when this is news: newer than what is there, and not the same. */
  take(view: RouteView): boolean {
    const held = this.byAlias.get(view.alias);
    if (held && !isNewer(view, held)) return false;
    this.byAlias.set(view.alias, view);
    return view.snapshot !== held?.snapshot || view.digest !== held.digest;
  }

  /** Undefined while nothing is known of an alias, which is not the same as a snapshot without targets. */
  of(alias: string): RouteView | undefined {
    return this.byAlias.get(alias);
  }

  /** Sorted by alias. */
  all(): readonly RouteView[] {
    return [...this.byAlias.values()].sort((a, b) => (a.alias < b.alias ? -1 : 1));
  }

  /** Number of the newest position in it; the lag of a gateway is what the log is ahead of this. */
  get position(): number {
    return this.all().reduce((newest, { position }) => Math.max(newest, position), 0);
  }
}

/** By snapshot, then position, then how much is withheld: a proof that comes back has a later position, one that ends may not. */
const ageOf = ({ snapshot, position, withheld = 0 }: RouteView): readonly number[] => [snapshot, position, withheld];

function isNewer(view: RouteView, held: RouteView): boolean {
  const [is, was] = [ageOf(view), ageOf(held)];
  const first = is.findIndex((number, place) => number !== was[place]);
  return first >= 0 && (is[first] ?? 0) > (was[first] ?? 0);
}
