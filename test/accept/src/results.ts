/** Tells how one check ended. */
export type Tell = (check: string, holds: boolean, seen: unknown) => void;

/** What held and what did not, told line by line. */
export class Results {
  private readonly counts = { held: 0, failed: 0 };

  constructor(private readonly say: (line: string) => void) {}

  readonly tell: Tell = (check, holds, seen) => {
    this.counts[holds ? 'held' : 'failed'] += 1;
    this.say(holds ? `  holds     ${check}` : `  FAILS     ${check}: ${JSON.stringify(seen)}`);
  };

  /** Something that was thrown: the run did not come to its end. */
  broke(error: unknown): void {
    this.tell('the run comes to its end', false, lastLine(error));
  }

  /** Says the counts as JSON beside what was held against them; the exit code. */
  conclude(against: Readonly<Record<string, string>>): number {
    this.say(JSON.stringify({ ...against, ...this.counts }));
    return this.counts.failed === 0 ? 0 : 1;
  }
}

/** The last line of what was thrown, which says most. */
export const lastLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? '';
