/**
 * For how long each replica's provider has not been readable. It is memory, not fact: losing it only delays the moment at
 * which "seen" becomes "unknown".
 */
export class Blindness {
  private readonly sinceMs = new Map<string, number>();

  constructor(private readonly lifetimeMs: number) {}

  /** Notes that a look failed; true once the last sight is older than its lifetime. */
  isOver(replicaId: string, nowMs: number): boolean {
    const sinceMs = this.sinceMs.get(replicaId) ?? nowMs;
    this.sinceMs.set(replicaId, sinceMs);
    return nowMs - sinceMs >= this.lifetimeMs;
  }

  sinceIso(replicaId: string): string {
    const sinceMs = this.sinceMs.get(replicaId);
    return sinceMs === undefined ? 'the start of this process' : new Date(sinceMs).toISOString();
  }

  end(replicaId: string): void {
    this.sinceMs.delete(replicaId);
  }
}
