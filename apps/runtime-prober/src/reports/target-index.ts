/** Addresses of the replicas that are watched, whichever instance does; gateways know a target by either. */
export class TargetIndex {
  private readonly urls = new Map<string, string>();
  private readonly replicas = new Map<string, Set<string>>();

  /** @param url null for one that has none, or is no longer watched */
  set(replica: string, url: string | null): void {
    const before = this.urls.get(replica);
    const after = url === null ? undefined : canonical(url);
    if (before === after) return;
    if (before !== undefined) {
      const sharing = this.replicas.get(before);
      sharing?.delete(replica);
      if (sharing?.size === 0) this.replicas.delete(before);
      this.urls.delete(replica);
    }
    if (after === undefined) return;
    this.urls.set(replica, after);
    this.replicas.set(after, (this.replicas.get(after) ?? new Set<string>()).add(replica));
  }

  has(replica: string): boolean {
    return this.urls.has(replica);
  }

  /** Replicas at an address; most often one. */
  at(url: string): readonly string[] {
    return [...(this.replicas.get(canonical(url)) ?? [])];
  }
}

/** Two spellings of one address are one; what is no address is left as it is. */
function canonical(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}
