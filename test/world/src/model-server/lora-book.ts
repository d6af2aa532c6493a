/** Which adapters have been running together, and when last. A combination once seen is never forgotten, as in vLLM. */
export class LoraBook {
  private readonly running: string[] = [];
  private readonly seen = new Map<string, number>();

  constructor(nowMs: number) {
    this.note(nowMs);
  }

  begin(adapter: string, nowMs: number): void {
    this.running.push(adapter);
    this.note(nowMs);
  }

  end(adapter: string, nowMs: number): void {
    const at = this.running.indexOf(adapter);
    if (at >= 0) this.running.splice(at, 1);
    this.note(nowMs);
  }

  /** Names joined by commas, with the Unix time in seconds at which they were running last. */
  rows(): readonly (readonly [adapters: string, seconds: number])[] {
    return [...this.seen].map(([adapters, nowMs]) => [adapters, nowMs / 1000]);
  }

  private note(nowMs: number): void {
    this.seen.set([...new Set(this.running)].join(','), nowMs);
  }
}
