import type { RouteView } from '@davit/contracts';

/**
 * The routes that a consumer has: the newest snapshot of each alias. What was seen already, or is older than what is there, changes
 * nothing, so that it does not matter how often and in what order news arrive. Only a snapshot of which targets are withheld makes room
 * for another word on itself.
 */
export class RouteSet {
  private readonly byAlias = new Map<string, RouteView>();

  /** True when this is news. */
  take(view: RouteView): boolean {
    const held = this.byAlias.get(view.alias);
    if (held && !isNews(view, held)) return false;
    this.byAlias.set(view.alias, view);
    return true;
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

const isNews = (view: RouteView, held: RouteView): boolean =>
  view.snapshot > held.snapshot ||
  (view.snapshot === held.snapshot && held.withheld !== undefined && view.digest !== held.digest);
