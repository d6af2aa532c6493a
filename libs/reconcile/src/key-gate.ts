import type { EventLog } from '@davit/event-log';
import { type Random, backoffMs } from '@davit/ports';
import type { ProjectionRunner } from '@davit/projection';

const CONFLICT = { firstMs: 10, maxMs: 2_000 };

/** Holds a key back until the read model has folded in what its last pass wrote or collided with. */
export class KeyGate {
  private readonly notBefore = new Map<string, number>();
  private readonly waiting = new Set<string>();
  private readonly conflicts = new Map<string, number>();
  private readonly epochs = new Map<string, number>();

  constructor(
    private readonly projection: ProjectionRunner,
    private readonly log: EventLog,
    private readonly random: Random,
  ) {}

  /** True when a pass would see all it must; otherwise `wake` is called once it would. */
  isOpen(key: string, wake: () => void): boolean {
    const position = this.notBefore.get(key);
    if (position === undefined || this.projection.status().position >= position) {
      this.notBefore.delete(key);
      return true;
    }
    if (this.waiting.has(key)) return false;
    this.waiting.add(key);
    const woken = (): void => {
      this.waiting.delete(key);
      wake();
    };
    this.projection.untilCaughtUp(position).then(woken, () => this.waiting.delete(key)); // rejects only when all stops
    return false;
  }

  /** A lease of a new epoch may come from somebody else: whatever that one wrote lies at or before the present head. */
  async entered(key: string, epoch: number): Promise<void> {
    if (this.epochs.get(key) === epoch) return;
    this.epochs.set(key, epoch);
    this.wrote(key, await this.log.head());
  }

  wrote(key: string, position: number): void {
    this.notBefore.set(key, Math.max(position, this.notBefore.get(key) ?? 0));
  }

  /** A pass collided with another writer: whatever that one wrote lies at or before the present head. Returns how long to wait. */
  async collided(key: string): Promise<number> {
    this.wrote(key, await this.log.head());
    const count = (this.conflicts.get(key) ?? 0) + 1;
    this.conflicts.set(key, count);
    return backoffMs(CONFLICT, count, this.random);
  }

  settled(key: string): void {
    this.conflicts.delete(key);
  }

  /** Forgets keys that rest: a lease that has run out comes back with a new epoch, and is entered anew. */
  sweep(isLeased: (key: string) => boolean): void {
    for (const key of this.epochs.keys()) if (!isLeased(key)) this.epochs.delete(key);
    for (const key of this.conflicts.keys()) if (!isLeased(key)) this.conflicts.delete(key);
    const { position } = this.projection.status();
    for (const [key, awaited] of this.notBefore) if (awaited <= position) this.notBefore.delete(key);
  }

  /** Keys about which something is remembered. */
  get remembered(): number {
    return new Set([...this.epochs.keys(), ...this.conflicts.keys(), ...this.notBefore.keys()]).size;
  }
}
