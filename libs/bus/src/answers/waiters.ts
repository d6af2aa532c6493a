/** One request that waits for the outcome of its intent. Without `reply`, the sender did not ask but was seen. */
export interface Waiter {
  readonly reply: string | undefined;
  readonly expiresAtMs: number;
}

/** An outcome that nobody here had asked for when it came. */
export interface EarlyOutcome {
  readonly id: string;
  readonly digest: string;
  readonly body: Uint8Array;
  readonly isProblem: boolean;
  /** The same intent, sent again, has the same outcome: it may be given more than once. */
  readonly isKeyed: boolean;
  readonly expiresAtMs: number;
}

const MAX_EARLY = 2_000;

/** Who waits for what, and what came too early. Pure bookkeeping; time is passed in. */
export class WaitingRoom {
  private readonly waiters = new Map<string, Waiter[]>();
  private readonly early = new Map<string, EarlyOutcome>();

  get waiting(): number {
    let count = 0;
    for (const list of this.waiters.values()) count += list.length;
    return count;
  }

  wait(digest: string, waiter: Waiter): void {
    const list = this.waiters.get(digest);
    if (list) list.push(waiter);
    else this.waiters.set(digest, [waiter]);
  }

  /** Everyone who waits for the digest; they are answered once and forgotten. */
  takeWaiters(digest: string, nowMs: number): readonly Waiter[] {
    const list = this.waiters.get(digest) ?? [];
    this.waiters.delete(digest);
    return list.filter((waiter) => waiter.expiresAtMs > nowMs);
  }

  keep(outcome: EarlyOutcome): void {
    this.early.set(outcome.id, outcome);
    const oldest = this.early.keys().next();
    if (this.early.size > MAX_EARLY && oldest.done === false) this.early.delete(oldest.value);
  }

  /** An outcome that came before its waiter; one that is not keyed is given once. */
  takeEarly(digest: string, nowMs: number): EarlyOutcome | undefined {
    for (const outcome of this.early.values()) {
      if (outcome.digest !== digest || outcome.expiresAtMs <= nowMs) continue;
      if (!outcome.isKeyed) this.early.delete(outcome.id);
      return outcome;
    }
    return undefined;
  }

  /** Another instance has given this outcome to its requester. */
  drop(outcomeId: string): void {
    if (this.early.get(outcomeId)?.isKeyed === false) this.early.delete(outcomeId);
  }

  /** Forgets what has expired and returns how many requests were left without an answer. */
  sweep(nowMs: number): number {
    let unanswered = 0;
    for (const [digest, list] of this.waiters) {
      const alive = list.filter((waiter) => waiter.expiresAtMs > nowMs);
      unanswered += list.filter((waiter) => waiter.reply !== undefined).length;
      unanswered -= alive.filter((waiter) => waiter.reply !== undefined).length;
      if (alive.length > 0) this.waiters.set(digest, alive);
      else this.waiters.delete(digest);
    }
    for (const [id, outcome] of this.early) if (outcome.expiresAtMs <= nowMs) this.early.delete(id);
    return unanswered;
  }
}
