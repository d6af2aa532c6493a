import { type Random, jitter } from '@davit/ports';

/** What a server is watched for, which decides how often. */
export type WatchKind = 'start' | 'steady' | 'suspect' | 'drain';

export type PaceSettings = {
  readonly startProbeMs: number;
  readonly steadyProbeMs: number;
  readonly suspectProbeMs: number;
  readonly drainProbeMs: number;
  readonly mostProbesASecond: number;
};

/** How often each server is looked at: as settings say, and less often where there are more of its kind than one core can probe so often. */
export class Pace {
  private readonly kinds = new Map<string, WatchKind>();
  private readonly counts: Record<WatchKind, number> = { start: 0, steady: 0, suspect: 0, drain: 0 };

  constructor(
    private readonly settings: PaceSettings,
    private readonly random: Random,
  ) {}

  /** Time until the next look at a server that is of this kind from now on. */
  nextMs(id: string, kind: WatchKind): number {
    this.forget(id);
    this.kinds.set(id, kind);
    this.counts[kind] += 1;
    const wishedMs = this.settings[`${kind}ProbeMs`];
    const possibleMs = (this.counts[kind] * 1_000) / this.settings.mostProbesASecond;
    const ms = Math.max(wishedMs, possibleMs);
    return kind === 'steady' || ms > wishedMs ? jitter(this.random, ms) : ms;
  }

  forget(id: string): void {
    const kind = this.kinds.get(id);
    if (kind === undefined) return;
    this.kinds.delete(id);
    this.counts[kind] -= 1;
  }
}
